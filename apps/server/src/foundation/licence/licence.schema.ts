interface LicencesTable {
  /** Grows with time. */
  id: string
  /** The id that the file carries. */
  licence_id: string
  /** Of those in force the newest counts, and of those that wait likewise. */
  state: 'waiting' | 'in-force' | 'past'
  file: string
  /** Bytes transferred under it, and those that nodes have set aside to be transferred. */
  used_bytes: number
  /** The shortest reminder that went out, in days before the end; null before the first. */
  reminded_days: number | null
  installed_at: number
  activated_at: number | null
  /** Account; '' for the operator at the shell. */
  installed_by: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly licences: LicencesTable
  }
}

export type { LicencesTable }
