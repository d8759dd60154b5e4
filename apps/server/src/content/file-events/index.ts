export { originOf, parseOrigin, type FileEvent, type Origin } from './file-events.ts'
