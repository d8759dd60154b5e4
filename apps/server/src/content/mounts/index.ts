export {
  addMount,
  listMounts,
  removeMount,
  removeMountsOf,
  renameMount,
  requireMount,
  type MountInfo,
} from './mounts.service.ts'
export { mountsFeature } from './mounts.feature.ts'
