export { fileSocketFeature } from './file-socket.feature.ts'
