// Written by `npm run openapi` from the specs of the routes.
import type { FileOperationName } from '../content/files.ts'
import type { OperationRef } from '../wire/route-table.ts'

export const files: Readonly<Record<FileOperationName, OperationRef>> = {
  list: { path: '/api/files/list', isRead: true },
  columns: { path: '/api/files/columns', isRead: true },
  mkdir: { path: '/api/files/mkdir', isRead: false },
  rename: { path: '/api/files/rename', isRead: false },
  move: { path: '/api/files/move', isRead: false },
  copy: { path: '/api/files/copy', isRead: false },
  remove: { path: '/api/files/remove', isRead: false },
  pack: { path: '/api/files/pack', isRead: false },
  unpack: { path: '/api/files/unpack', isRead: false },
  attributes: { path: '/api/files/attributes', isRead: true },
  exists: { path: '/api/files/exists', isRead: true },
  download: { path: '/api/files/download', isRead: true },
  preview: { path: '/api/files/preview', isRead: true },
  search: { path: '/api/files/search', isRead: true },
  job: { path: '/api/files/job', isRead: true },
  cancel: { path: '/api/files/cancel', isRead: false },
  recycled: { path: '/api/files/recycled', isRead: true },
  restore: { path: '/api/files/restore', isRead: false },
  purge: { path: '/api/files/purge', isRead: false },
  versions: { path: '/api/files/versions', isRead: true },
  restoreVersion: { path: '/api/files/restoreVersion', isRead: false },
  removeVersions: { path: '/api/files/removeVersions', isRead: false },
  usage: { path: '/api/files/usage', isRead: true },
  activity: { path: '/api/files/activity', isRead: true },
}
