/** Texts inside a zip that the server makes. */
export const archives = {
  'left-out.name': 'Not in this archive.txt',
  'left-out.content':
    'These folders hold more than this archive: links, devices, files that nobody may read, or names that are not valid Unicode text. Ask your administrator for them.',
  'left-out.folder': '{folder}: {count}',
} as const

export type ArchiveKey = keyof typeof archives
