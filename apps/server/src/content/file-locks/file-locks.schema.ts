import type { Selectable } from 'kysely'

interface FileLocksTable {
  /** The random part of the lock token. */
  token: string
  user_id: string
  /** The API token that the lock was taken with; '' for a session. */
  api_token_id: string
  space_id: number
  group_id: number
  /** SHA-256 of the storage key, which is too long for an index. */
  key_hash: string
  storage_key: string
  /** As the holder sees it. */
  path: string
  /** 1: everything below is locked too. */
  is_deep: number
  is_shared: number
  /** Who holds it, in the words of the client: XML that was parsed and written again. */
  owner: string
  created_at: number
  expires_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_locks: FileLocksTable
  }
}

export type FileLockRow = Selectable<FileLocksTable>
