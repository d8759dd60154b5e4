import type { Selectable } from 'kysely'

/** A place whose texts are indexed; the row is what switches it on for those who change the index of names. */
interface FullTextPlacesTable {
  root_id: number
  /** Of the program that read its documents. */
  version: number
  /** Slot of the next document. Slots are never used again. */
  next_slot: number
  /** Entries up to `filled_n` were looked at for the queue; those behind `fill_to` come there when they change. */
  filled_n: number
  fill_to: number
  /** Largest file that was read when it was last looked at. */
  limit_bytes: number
}

/** Entries to be looked at: new, changed or gone. */
interface FullTextQueueTable {
  root_id: number
  /** Number of the entry. */
  n: number
  /** Grows with each change, so that one that comes while a file is read is not taken for done. */
  changes: number
  /** Begun, and not ended: what it is about may have ended the server. */
  attempts: number
  /** Unix milliseconds: not before. */
  retry_at: number
}

/** What was read: the content is that of the entry as long as size and time are equal. */
interface FullTextDocumentsTable {
  root_id: number
  n: number
  /** Where its text is; null when it has none. */
  slot: number | null
  /** Why it has none; '' when it has one. */
  reason: string
  size: number
  modified_ms: number
  /** Of the content on the storage; '' when that was not read. */
  etag: string
}

interface FullTextTextsTable {
  root_id: number
  slot: number
  /** Deflated, in base64: the schema has no blobs. */
  packed: string
}

/** Which slots of a block have a term. May name slots that are no longer in use. */
interface FullTextTermsTable {
  root_id: number
  /** `slot` divided by the size of a block. */
  block: number
  term: string
  /** One bit for each slot. */
  slots: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly full_text_places: FullTextPlacesTable
    readonly full_text_queue: FullTextQueueTable
    readonly full_text_documents: FullTextDocumentsTable
    readonly full_text_texts: FullTextTextsTable
    readonly full_text_terms: FullTextTermsTable
  }
}

export type TextPlaceRow = Selectable<FullTextPlacesTable>
export type QueueRow = Selectable<FullTextQueueTable>
export type DocumentRow = Selectable<FullTextDocumentsTable>

/** All of them can be rebuilt from the storages, so copies of the database need none of them. */
export const FULL_TEXT_TABLES = [
  'full_text_places',
  'full_text_queue',
  'full_text_documents',
  'full_text_texts',
  'full_text_terms',
] as const
