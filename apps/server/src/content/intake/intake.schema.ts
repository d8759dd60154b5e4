import type { Generated, Selectable } from 'kysely'

interface UploadsTable {
  id: string
  user_id: string
  /** The link and the visit of a guest who began it; '' for an account. */
  link_id: Generated<string>
  visit_id: Generated<string>
  /** The session that began or resumed it; its parts keep that session alive. */
  session_id: string
  /** The API token that began or resumed it; '' for a session and for a guest. */
  api_token_id: Generated<string>
  /** SHA-256 of the grant; null when it was revoked. */
  grant_hash: string | null
  /** Changes with the account's password, so that a grant ends with it whichever process changed it. */
  grant_stamp: string
  state: string
  carrier: string
  space_id: number
  group_id: number
  /** Key of the place that paths count from. */
  root_key: string
  /** Where the file shall appear, as the user sees it. */
  path: string
  conflict: string
  /** Null until a sequential upload has declared its length. */
  size: number | null
  part_size: number
  /** Unix milliseconds of the source; 0: unknown. */
  last_modified: number
  declared_hash: string | null
  declared_sha256: string | null
  /** Upload-Metadata as it came over tus, '' otherwise. */
  metadata: string
  /** Ids of the partial uploads that a final one joins, as JSON; '' otherwise. */
  pieces: string
  /** The storage's own record of the upload, as JSON; '' when there is none. */
  store_upload: string
  reserved_bytes: number
  /** Number of the newest writer lease; see leases.ts. */
  fence: number
  /** The step that makes the file visible, written down before it is taken; JSON. */
  publishing: string | null
  /** What a completed upload answers, JSON. */
  result: string | null
  /** Who began it, and by which door; JSON. */
  origin: string
  created_at: number
  expires_at: number
  /** The transfer that it counts in; '' for none. */
  transfer_id: Generated<string>
}

/** Durable bytes [start_at, end_at) of an upload and the tree nodes that lie wholly inside, as JSON. */
interface UploadSpansTable {
  upload_id: string
  start_at: number
  end_at: number
  nodes: string
}

/** Small files on their way into the tree under one reservation. The row goes when they are booked. */
interface IntakeBatchesTable {
  id: string
  user_id: string
  space_id: number
  group_id: number
  reserved_bytes: number
  /** What the files must become, JSON; see batches.ts. */
  files: string
  fence: number
  /** Who sent them, and by which door; JSON. */
  origin: string
  created_at: number
}

/** Who may write or publish right now; see leases.ts. */
interface IntakeLeasesTable {
  /** An upload or a batch. */
  subject_id: string
  fence: number
  work: string
  start_at: number
  end_at: number
  /** Id of a process. */
  owner: string
  /** 1: another node waits for these bytes. */
  is_revoked: number
  /** Unix milliseconds by the database's clock. */
  expires_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly uploads: UploadsTable
    readonly upload_spans: UploadSpansTable
    readonly intake_batches: IntakeBatchesTable
    readonly intake_leases: IntakeLeasesTable
  }
}

export type UploadRow = Selectable<UploadsTable>
export type BatchRow = Selectable<IntakeBatchesTable>
export type LeaseRow = Selectable<IntakeLeasesTable>
