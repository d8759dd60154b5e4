export { arrivals } from './arrivals.ts'
export { useClient } from './client-view.ts'
export { feature } from './feature.ts'
export { MARK_KEYS } from './favorites.ts'
export { fileIcon } from './file-icon.ts'
export { isSettled } from './file-commands.ts'
export { FilesPage } from './files.page.tsx'
export {
  type FilesServices,
  FilesServicesProvider,
  type HandOver,
  type LinkTarget,
  useFilesServices,
} from './files-services.tsx'
export { refreshFolder } from './folder-query.ts'
export { Jobs, useJobs } from './jobs.tsx'
export { useLibrary } from './library.ts'
export { RECYCLE_KEYS } from './remove-command.ts'
export { TargetDialog } from './lazy-target.ts'
