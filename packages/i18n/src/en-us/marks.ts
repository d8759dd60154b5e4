/** Pages of favorites and of what was worked with lately. */
export const marks = {
  'marks.column.where': 'Location',
  'marks.column.added': 'Added',
  'marks.column.did': 'Last action',
  'marks.column.when': 'When',
  'marks.favorites.none': 'No favorites yet',
  'marks.favorites.none.text': 'Mark files and folders as favorites in their menu to find them here.',
  'marks.recent.none': 'Nothing here yet',
  'marks.recent.none.text': 'Files that you open, upload or change appear here.',
  'marks.show': 'Show in its folder',
  'marks.more': 'Show more',
  'marks.clear': 'Clear list',
  'marks.clear.title': 'Clear the list of recent files?',
  'marks.clear.text': 'The list begins anew in all spaces. The files themselves stay where they are.',
  'marks.did.uploaded': 'Uploaded',
  'marks.did.changed': 'Changed',
  'marks.did.renamed': 'Renamed',
  'marks.did.moved': 'Moved',
  'marks.did.copied': 'Copied',
  'marks.did.restored': 'Restored',
  'marks.did.downloaded': 'Downloaded',
  'marks.did.opened': 'Opened',
} as const

export type MarksKey = keyof typeof marks
