export { createPrograms, type Programs } from './programs.ts'
