/** Shown while something is selected, in the toolbar and in the row menu. */
export const SELECTION_ACTIONS = [
  'open',
  'download',
  'client-download',
  'share',
  'invite',
  'sync',
  'sync-down',
  'rename',
  'batch-rename',
  'move',
  'copy',
  'attributes',
  'remove',
] as const

/** The menu of the folder itself, beside its rows. */
export const FOLDER_ACTIONS = [
  'upload-files',
  'upload-folder',
  'client-upload-files',
  'client-upload-folder',
  'sync',
  'sync-down',
  'new-folder',
  'paste',
  'invite',
  'tiles',
  'list',
  'details',
] as const

/** The row menu has the clipboard as well, where desktops have it. */
export const ROW_ACTIONS = [
  'open',
  'download',
  'client-download',
  'share',
  'invite',
  'sync',
  'sync-down',
  'rename',
  'batch-rename',
  'cut',
  'clip',
  'move',
  'copy',
  'unpack',
  'pack',
  'versions',
  'attributes',
  'details',
  'favorite',
  'unfavorite',
  'remove',
] as const
