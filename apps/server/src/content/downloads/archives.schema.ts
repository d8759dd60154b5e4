interface ArchiveChecksumsTable {
  /** Hash of a storage key and the version of the content under it. */
  content: string
  /** The checksum is that of so many bytes from the beginning. */
  up_to: number
  /** CRC-32. */
  checksum: number
  made_at: number
}

interface ArchiveStartsTable {
  /** Hash of who reads and what they chose. */
  reader: string
  /** Of the archive whose first byte they got last; '' when it cannot go on in its middle. */
  etag: string
  /** Whether that one ended early because a file in it changed. */
  is_moving: number
  at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly archive_checksums: ArchiveChecksumsTable
    readonly archive_starts: ArchiveStartsTable
  }
}

export type { ArchiveChecksumsTable, ArchiveStartsTable }
