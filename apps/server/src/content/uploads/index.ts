export { PackMemory } from './pack-memory.ts'
export { uploadEndpoints, uploadRawEndpoints } from './uploads.routes.ts'
