interface FilePropertiesTable {
  space_id: number
  /** SHA-256 of the storage key, which is too long for a primary key. */
  key_hash: string
  storage_key: string
  /** JSON: the XML of each value by its name, `{namespace}name`. */
  properties: string
  changed_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_properties: FilePropertiesTable
  }
}

export type { FilePropertiesTable }
