import type { Permission } from '@godwit/contract'

/** What a need does with the entry it is asked for. */
type Effect =
  /** Shows or reads it. */
  | 'reads'
  /** Makes a new entry: the rights are those of its folder, the rules are asked for its name. */
  | 'creates'
  /** Replaces, renames, moves or deletes what exists: never under upload-new-only. */
  | 'changes'

interface NeedSpec {
  /** All of them must be granted; the first that is missing is named to the person. */
  readonly flags: readonly Permission[]
  readonly effect: Effect
  /** Only the administrator of the place. */
  readonly administrator?: true
}

function reads(...flags: Permission[]) {
  return { flags, effect: 'reads' } as const satisfies NeedSpec
}

function creates(...flags: Permission[]) {
  return { flags, effect: 'creates' } as const satisfies NeedSpec
}

function changes(...flags: Permission[]) {
  return { flags, effect: 'changes' } as const satisfies NeedSpec
}

/**
 * Everything that is ever asked of a place. Needs of folders stand beside those of files where they differ: what an entry is
 * comes out when it is found, so the need of files is asked first and that of folders then.
 */
export const NEEDS = {
  /** List, search, attributes. */
  list: reads('list'),
  /** A preview. Reviewers have it by their grant, link guests by what their owner may do. */
  view: reads('download'),
  download: reads('download'),
  downloadFolder: reads('download', 'list'),
  uploadFile: creates('upload'),
  /** A folder on the way of an upload. */
  uploadFolder: creates('upload', 'mkdir'),
  makeFolder: creates('mkdir'),
  /** An existing file, by any operation. */
  replace: changes('upload', 'delete'),
  rename: changes('rename'),
  /** Within the place, under its own name. */
  move: changes('move'),
  /** Within the place, under another name that was asked for. */
  moveAs: changes('move', 'rename'),
  /** To another place. */
  moveOut: changes('move', 'download', 'delete'),
  /** Within the place. */
  copy: reads('copy'),
  copyFolder: reads('copy', 'mkdir', 'list'),
  /** To another place. */
  copyOut: reads('copy', 'download'),
  copyOutFolder: reads('copy', 'download', 'list'),
  /** The target of a move within the place, under its own name: the rules for types are not asked. */
  moveHere: creates('move'),
  /** The same under another name, which must be of an allowed type. */
  moveHereAs: creates('move'),
  /** The target of a copy within the place. */
  copyHere: creates('copy'),
  copyFolderHere: creates('copy', 'mkdir'),
  /** The target of a move or copy from another place. */
  bringFile: creates('upload'),
  bringFolder: creates('mkdir'),
  delete: changes('delete'),
  restore: creates('upload'),
  /** Folders above a restored entry that are made again. */
  restoreFolder: creates('mkdir'),
  /** For good; whose deletions they are is decided by the recycle bin. */
  purge: changes('delete'),
  listVersions: reads('list', 'download'),
  restoreVersion: changes('upload', 'delete'),
  removeVersion: { flags: [], effect: 'changes', administrator: true },
  share: reads('share', 'download'),
  shareFolder: reads('share', 'download', 'list'),
  invite: reads('invite', 'upload'),
  deliver: reads('download'),
  deliverFolder: reads('download', 'list'),
  hotFolderUp: creates('hotFolder', 'upload'),
  hotFolderDown: reads('hotFolder', 'download'),
  /** Packing and unpacking on the server: the source. */
  pack: reads('download', 'list'),
  unpack: reads('download'),
  /** Packing and unpacking on the server: the target. */
  packHere: creates('upload'),
  unpackHere: creates('upload', 'mkdir'),
} as const satisfies Record<string, NeedSpec>

export type Need = keyof typeof NEEDS

export function needSpec(need: Need): NeedSpec {
  return NEEDS[need]
}

/** The flag that a refusal names. */
export function flagOf(need: Need): Permission {
  return needSpec(need).flags[0] ?? 'delete'
}
