/** The page of the recycle bin. */
export const recycle = {
  'recycle.place': 'Deleted from',
  'recycle.filter': 'Find by name',
  'recycle.column.from': 'Was in',
  'recycle.column.deleted': 'Deleted',
  'recycle.column.left': 'Kept for',
  'recycle.days-left': '{days, plural, =0 {less than a day} one {# day} other {# days}}',
  'recycle.restore': 'Restore',
  'recycle.restore-to': 'Restore to',
  'recycle.purge': 'Delete for good',
  'recycle.purge.title': '{count, plural, one {Delete “{name}” for good?} other {Delete # items for good?}}',
  'recycle.purge.text': 'This cannot be undone.',
  'recycle.purged': '{count, plural, one {# item deleted for good} other {# items deleted for good}}',
  'recycle.empty': 'Empty the recycle bin',
  'recycle.empty.title': 'Empty the recycle bin?',
  'recycle.empty.text': 'Everything in it is deleted for good, also what is not shown here yet. This cannot be undone.',
  'recycle.emptied': 'The recycle bin is empty',
  'recycle.none.title': 'The recycle bin is empty',
  'recycle.none.text':
    '{days, plural, one {What you delete stays here for # day and can be restored.} other {What you delete stays here for # days and can be restored.}}',
  'recycle.summary':
    '{days, plural, one {Kept for # day} other {Kept for # days}} · Files {files} · Recycle bin {bin} · Versions {versions}',
  'recycle.all.help': 'What everybody deleted and may still come back, until its time is over.',
  'recycle.all.filter': 'Name, path or account',
  'recycle.all.type': 'Type',
  'recycle.all.file': 'File',
  'recycle.all.folder': 'Folder',
  'recycle.all.by': 'Deleted by',
  'recycle.all.none': 'What people delete stays here until its time is over.',
  'recycle.all.restore.title': '{count, plural, one {Restore # item?} other {Restore # items?}}',
  'recycle.all.restore.text': 'Each comes back to where it was. Where its name is taken by now, it gets a number.',
  'recycle.all.restored': '{count, plural, one {# item restored} other {# items restored}}',
  'recycle.all.purge.title': '{count, plural, one {Delete # item for good?} other {Delete # items for good?}}',
  'recycle.more': 'Show more',
}

export type RecycleKey = keyof typeof recycle
