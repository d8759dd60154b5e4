interface SettingsTable {
  name: string
  /** JSON. A setting without a row has its default. */
  value: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly settings: SettingsTable
  }
}

export type { SettingsTable }
