/** Texts inside a zip that the server generates. */
export const archives = {
  'left-out.name': 'Not in this archive.txt',
  'left-out.content':
    'These folders hold more than this archive: links, devices, files that nobody may read, names that are not valid Unicode text, or entries that were replaced while the archive was made. Ask your administrator for them.',
  'left-out.folder': '{folder}: {count}',
} as const

export type ArchiveKey = keyof typeof archives
