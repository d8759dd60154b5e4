/** The sheet of keyboard shortcuts. */
export const help = {
  'help.title': 'Keyboard shortcuts',
  'help.group.files': 'Files',
  'help.group.selection': 'Selection',
  'help.group.navigation': 'Navigation',
  'help.group.uploads': 'Uploads',
  'help.group.general': 'General',
  'help.single-keys': 'Single-key shortcuts',
  'help.single-keys-hint': 'Turn them off if you use speech input or press keys by accident.',
  'help.key.move': 'Move the focus',
  'help.key.extend': 'Extend the selection',
  'help.key.move-only': 'Move without selecting',
  'help.key.toggle': 'Select or deselect the row',
  'help.key.ends': 'First or last row',
  'help.key.page': 'One page up or down',
  'help.key.letters': 'Jump to a name that starts with these letters',
  'help.key.menu': 'Open the row menu',
  'help.letters': 'Letters',
} as const

export type HelpKey = keyof typeof help
