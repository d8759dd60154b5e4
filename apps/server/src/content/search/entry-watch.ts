import type { Tx } from '../../kernel/db/index.ts'

/** An entry of the index that came, changed, got another name or went. */
export interface ChangedEntry {
  readonly n: number
  /** Before or after the change. */
  readonly ending: string
}

/** Looks on as the index of a place changes, within the transaction of the change. */
export interface EntryWatch {
  changed(tx: Tx, rootId: number, entries: readonly ChangedEntry[]): Promise<void>
}

export const NOBODY: EntryWatch = { changed: () => Promise.resolve() }
