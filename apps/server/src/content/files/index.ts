export { measureStored, measureTree } from './measure-tree.ts'
export { recordedHash } from './files.attributes.ts'
export { noteChange } from './files.changes.ts'
export { createFiles, type FilesDeps } from './files.deps.ts'
export { filesFeature } from './files.feature.ts'
export { listPlace, type ListRequest } from './files.list.ts'
export { clashOf, itemOf, makeFolder, rename, requireNoClash } from './files.service.ts'
export * from './jobs/index.ts'
export {
  actorOf,
  addFolder,
  hasStepsOf,
  promisedBytes,
  recycleIdsUnderWay,
  replacedBy,
  stepOf,
  type Actor,
  type BookStep,
  type Step,
} from './steps/index.ts'
