export {
  allHashes,
  forgetHashes,
  hashAt,
  hashesOf,
  rememberHashes,
  retagHashes,
  spacesWithHashes,
  type KnownHash,
} from './file-hashes.store.ts'
export { measureTree } from './files.attributes.ts'
export { noteChange, noteMove } from './files.changes.ts'
export { createFiles, type FilesDeps } from './files.deps.ts'
export { storageFault, tellingFaults } from './files.errors.ts'
export { filesFeature } from './files.feature.ts'
export * from './files.paths.ts'
export { clashOf, requireNoClash } from './files.service.ts'
export * from './jobs/index.ts'
