import type { CertificateSource } from '@godwit/contract'

interface CertificatesTable {
  /** Grows with time. */
  id: string
  /** 1 for the certificate that connections are shown; of several the newest. */
  in_force: number
  source: CertificateSource
  /** The whole chain, the site's own certificate first. */
  pem: string
  /** '' once it is not in force any more. */
  sealed_key: string
  not_after: number
  /** The shortest reminder that went out, in days before the end; 0 before the first. */
  reminded_days: number
  added_at: number
  /** Account; '' for the server and its operator. */
  added_by: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly certificates: CertificatesTable
  }
}

export type { CertificatesTable }
