import type { MarkAction } from '@godwit/contract'
import type { Generated, Selectable } from 'kysely'

export type MarkKind = 'favorite' | 'recent'

/** An entry that an account marked, or worked with. It follows the entry; see marks.subscribers.ts. */
interface EntryMarksTable {
  /** Grows with each mark; what is touched again gets a new one. */
  n: Generated<number>
  user_id: string
  kind: MarkKind
  space_id: number
  /** 0: the account's own files. */
  group_id: number
  /** As its owner sees it; where it was, while it is in the recycle bin. */
  path: string
  /** SHA-256 of the path, and of the folder that it is in. */
  path_hash: string
  parent_hash: string
  /** What was done last; '' for a favorite. */
  action: MarkAction | ''
  /** While it is in the recycle bin: what names it, or a folder above it, there. Else ''. */
  recycle_id: string
  /** The path that was deleted: its own, or that of a folder above. */
  recycled_path: string
  /** Unix milliseconds. */
  at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly entry_marks: EntryMarksTable
  }
}

export type MarkRow = Selectable<EntryMarksTable>
