import { hasPermission, type Permission } from '../permissions.ts'

/** Where files are shown: one's own, those of a group, a download link and an upload link. */
export const FILE_PAGES = ['personal', 'group', 'share', 'invite'] as const
export type FilePage = (typeof FILE_PAGES)[number]

/** What a selection consists of. */
export interface FileSelection {
  readonly count: number
  readonly hasFile: boolean
  readonly hasFolder: boolean
  /** A mounted storage, which stays where it is. */
  readonly hasVirtualFolder: boolean
  /** It is one file that the server can unpack. */
  readonly isArchive: boolean
}

/** Whether the server can unpack a file, by its name. */
export function isArchiveName(name: string): boolean {
  return /\.zip$/i.test(name)
}

export const NO_SELECTION: FileSelection = {
  count: 0,
  hasFile: false,
  hasFolder: false,
  hasVirtualFolder: false,
  isArchive: false,
}

/** All that decides what can be done with files. */
export interface FileSituation {
  readonly page: FilePage
  /** Permission bits: of the account, of its membership in the group, or of the link. */
  readonly permission: number
  readonly selection: FileSelection
  /** Transfers by the browser, and by the desktop client, are allowed and to be had: `offeredWays`. */
  readonly canUseWebTransfer: boolean
  readonly canUseClientTransfer: boolean
  /** Folders of this place may be kept in sync: `transSyncSwitch` of the account, or of the group. */
  readonly canSync: boolean
}

interface Rule {
  readonly pages: readonly FilePage[]
  /** Selected entries it works on. Absent: it does not look at the selection. */
  readonly takes?: 'one' | 'file' | 'archive' | 'some' | 'several' | 'at-most-one-folder'
  readonly flags: readonly Permission[]
  /** Needed in addition as soon as a folder is selected. */
  readonly folderFlags?: readonly Permission[]
  readonly keepsVirtualFolders?: true
  readonly needsWebTransfer?: true
  readonly needsClientTransfer?: true
  readonly needsSync?: true
}

const SIGNED_IN: readonly FilePage[] = ['personal', 'group']
const EVERYWHERE = FILE_PAGES
const SYNC = { pages: SIGNED_IN, takes: 'at-most-one-folder', needsClientTransfer: true, needsSync: true } as const

/**
 * Pages and rights of each action: specification 2, section 6, with what was decided since. The rights are those that the
 * server asks for, so that whatever it is certain to refuse is not offered.
 */
const RULES = {
  open: { pages: EVERYWHERE, takes: 'one', flags: [] },
  'upload-files': { pages: ['personal', 'group', 'invite'], flags: ['upload'], needsWebTransfer: true },
  'upload-folder': { pages: ['personal', 'group', 'invite'], flags: ['upload', 'mkdir'], needsWebTransfer: true },
  'new-folder': { pages: ['personal', 'group', 'invite'], flags: ['mkdir'] },
  download: {
    pages: ['personal', 'group', 'share'],
    takes: 'some',
    flags: ['download'],
    folderFlags: ['list'],
    needsWebTransfer: true,
  },
  'client-upload-files': { pages: SIGNED_IN, flags: ['upload'], needsClientTransfer: true },
  'client-upload-folder': { pages: SIGNED_IN, flags: ['upload', 'mkdir'], needsClientTransfer: true },
  'client-download': {
    pages: SIGNED_IN,
    takes: 'some',
    flags: ['download'],
    folderFlags: ['list'],
    needsClientTransfer: true,
  },
  sync: { ...SYNC, flags: ['hotFolder', 'upload', 'mkdir'] },
  'sync-down': { ...SYNC, flags: ['hotFolder', 'download', 'list'] },
  rename: { pages: SIGNED_IN, takes: 'one', flags: ['rename'], keepsVirtualFolders: true },
  'batch-rename': { pages: SIGNED_IN, takes: 'several', flags: ['rename'], keepsVirtualFolders: true },
  move: { pages: SIGNED_IN, takes: 'some', flags: ['move'], keepsVirtualFolders: true },
  copy: {
    pages: SIGNED_IN,
    takes: 'some',
    flags: ['copy'],
    folderFlags: ['mkdir', 'list'],
    keepsVirtualFolders: true,
  },
  remove: { pages: SIGNED_IN, takes: 'some', flags: ['delete'], keepsVirtualFolders: true },
  pack: { pages: SIGNED_IN, takes: 'some', flags: ['download', 'list', 'upload'], keepsVirtualFolders: true },
  unpack: { pages: SIGNED_IN, takes: 'archive', flags: ['download', 'upload', 'mkdir'] },
  versions: { pages: SIGNED_IN, takes: 'file', flags: ['list', 'download'] },
  attributes: { pages: SIGNED_IN, takes: 'some', flags: ['list'] },
  share: { pages: SIGNED_IN, takes: 'some', flags: ['share', 'download'], folderFlags: ['list'] },
  invite: { pages: SIGNED_IN, takes: 'at-most-one-folder', flags: ['invite', 'upload'] },
} as const satisfies Record<string, Rule>

export type FileActionName = keyof typeof RULES

/** Every action, for whoever goes through all of them. */
export function fileActionNames(): readonly FileActionName[] {
  return Object.keys(RULES).filter((name): name is FileActionName => name in RULES)
}

/** Whether a page offers an action. Toolbar, row menu, keyboard and drag ask it; the server checks again by itself. */
export function offersFileAction(name: FileActionName, situation: FileSituation): boolean {
  const rule: Rule = RULES[name]
  const { page, permission, selection, canUseWebTransfer, canUseClientTransfer, canSync } = situation
  if (!rule.pages.includes(page) || (rule.needsWebTransfer && !canUseWebTransfer)) return false
  if (rule.needsClientTransfer && !canUseClientTransfer) return false
  if (rule.needsSync && !canSync) return false
  if (rule.keepsVirtualFolders && selection.hasVirtualFolder) return false
  return takes(rule, selection) && fileActionFlags(name, selection).every((flag) => hasPermission(permission, flag))
}

function takes({ takes: wanted }: Rule, { count, hasFile, isArchive }: FileSelection): boolean {
  if (wanted === undefined) return true
  switch (wanted) {
    case 'one':
      return count === 1
    case 'file':
      return count === 1 && hasFile
    case 'archive':
      return isArchive
    case 'some':
      return count > 0
    case 'several':
      return count > 1
    case 'at-most-one-folder':
      return count <= 1 && !hasFile
  }
}

/** Entries on their way into a folder. */
export interface Arrival {
  readonly kind: 'move' | 'copy'
  readonly hasFolder: boolean
  /** The folder is in another place than the entries: one's own files, or the library of a group. */
  readonly isAcross: boolean
}

/** Whether a place with these rights takes entries that are moved or copied into it. */
export function takesArrival(permission: number, arrival: Arrival): boolean {
  return arrivalFlags(arrival).every((flag) => hasPermission(permission, flag))
}

function arrivalFlags({ kind, hasFolder, isAcross }: Arrival): readonly Permission[] {
  if (isAcross) return hasFolder ? ['upload', 'mkdir'] : ['upload']
  return kind === 'copy' && hasFolder ? ['copy', 'mkdir'] : [kind]
}

/** Whether entries may also be moved or copied out of their place. */
export function mayLeave(permission: number, { kind, hasFolder }: Omit<Arrival, 'isAcross'>): boolean {
  const flags: readonly Permission[] = kind === 'move' ? ['move', 'download', 'delete'] : ['copy', 'download']
  const all = kind === 'copy' && hasFolder ? [...flags, 'list' as const] : flags
  return all.every((flag) => hasPermission(permission, flag))
}

/** The rights that an action needs for what is selected. */
export function fileActionFlags(name: FileActionName, selection: FileSelection): readonly Permission[] {
  const { flags, folderFlags = [] }: Rule = RULES[name]
  const hasFolder = selection.hasFolder || selection.hasVirtualFolder
  return hasFolder ? [...flags, ...folderFlags] : flags
}
