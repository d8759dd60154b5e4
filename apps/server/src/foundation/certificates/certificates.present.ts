import type { CertificateView } from '@godwit/contract'
import type { ChangedThing } from '../operation-log/index.ts'
import { daysLeft, readFacts, warningsOf } from './certificates.policy.ts'
import type { CertificatesTable } from './certificates.schema.ts'

/** What leaves of a certificate: never its key. @param siteHost '' where nobody knows it */
export function presentCertificate(
  row: Omit<CertificatesTable, 'sealed_key'>,
  at: { readonly now: number; readonly siteHost: string },
): CertificateView {
  const facts = readFacts(row.pem)
  const inForce = row.in_force === 1
  return {
    ...{ id: row.id, source: row.source, inForce },
    ...facts,
    ...{ names: [...facts.names], chain: [...facts.chain] },
    daysLeft: daysLeft(facts.notAfter, at.now),
    addedAt: Number(row.added_at),
    addedBy: row.added_by,
    warnings: inForce ? warningsOf(row.pem, at) : [],
  }
}

/** What the operation log keeps of a certificate that is put in force. */
export function certificatePut(row: Omit<CertificatesTable, 'sealed_key'>): ChangedThing {
  const { fingerprint, names, issuer, notAfter } = readFacts(row.pem)
  const after = { fingerprint, names, issuer, notAfter, newKey: true }
  return { kind: 'certificate', id: row.id, name: names.join(', '), after }
}

/** Host of the site's address; '' without one. */
export function hostOf(publicUrl: string): string {
  return URL.canParse(publicUrl) ? new URL(publicUrl).hostname.replaceAll(/^\[|\]$/g, '') : ''
}
