export {
  addMount,
  listMounts,
  removeMount,
  removeMountsOf,
  renameMount,
  requireMount,
  type MountInfo,
  type MountsDeps,
} from './mounts.service.ts'
export { mountsFeature } from './mounts.feature.ts'
