export { feature } from './feature.ts'
export { FilesPage } from './files.page.tsx'
export { type FilesServices, FilesServicesProvider, type LinkTarget, useFilesServices } from './files-services.tsx'
export { folderKeys } from './folder-query.ts'
