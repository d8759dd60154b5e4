import type { Generated, Selectable } from 'kysely'

/** One change of one entry. Rows are added in order of commit and never changed. */
interface FileActivityTable {
  /** Grows with each change. */
  n: Generated<number>
  /** The account whose personal files these are; '' for the library of a group. */
  owner_id: string
  space_id: number
  group_id: number
  /** After the change; of what was deleted, where it was. */
  path: string
  /** SHA-256 of the path, which is too long for a key. */
  path_hash: string
  /** Of the folder that it is in. */
  parent_hash: string
  /** Where it was before, or where its source is; '' for a change that has none. */
  from_path: string
  /** '' unless it left `from_path` by this change. */
  from_hash: string
  /** Where `from_path` counts. */
  from_group_id: number
  type: ActivityType
  entry: 'file' | 'folder'
  /** 1: a file of the same path was replaced. */
  replaces: number
  /** Names it in the recycle bin; '' for changes that have nothing to do with it. */
  recycle_id: string
  /** The storage's tag after the change; '' where nobody knows it. */
  etag: string
  /** Who did it, and by which door, as JSON. */
  origin: string
  /** Unix milliseconds. */
  at: number
}

/** Events that change an entry. */
export const ACTIVITY_TYPES = [
  'file.committed',
  'file.replaced',
  'folder.made',
  'file.renamed',
  'file.moved',
  'file.copied',
  'file.deleted',
  'file.restored',
] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_activity: FileActivityTable
  }
}

export type ActivityRow = Selectable<FileActivityTable>
