export { feature } from './feature.ts'
export { type FilesServices, FilesServicesProvider, useFilesServices } from './files-services.tsx'
export { folderKeys } from './folder-query.ts'
