import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Clock, Random } from '@godwit/base'
import type { CertificateSource } from '@godwit/contract'
import type { Log } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import { checkPair, dueReminder, isPublic, readFacts, type CertificatePair } from './certificates.policy.ts'
import type { CertificatesTable } from './certificates.schema.ts'
import { certificatesStore } from './certificates.store.ts'
import { makeSelfSigned } from './self-signed.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    /** The certificate in force ends soon; `days` is the reminder that is due. */
    readonly 'certificate.expiring': {
      readonly certificateId: string
      readonly name: string
      readonly expiresAt: number
      readonly days: number
    }
  }
}

export interface CertificatesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly vault: Vault
}

/** What connections are shown. */
export interface ActiveCertificate {
  readonly id: string
  /** The chain, PEM. */
  readonly certificate: string
  readonly key: string
  /** Whether an authority signed it and its time is not over. */
  isPublic(): boolean
}

/** The certificate in force, as this process knows it: at most a second old. */
export interface CertificateInForce {
  /** Undefined while there is none. */
  current(): ActiveCertificate | undefined
  /** @returns a function that ends the subscription */
  onChange(listener: () => void): () => void
}

export interface WatchedCertificate extends CertificateInForce {
  /** Looks whether another one is in force. */
  refresh(): Promise<void>
}

const PURPOSE = 'certificate-key'
/** RFC 5280: at most 20 bytes, and positive. */
const SERIAL_BYTES = 16

export interface NewCertificate extends CertificatePair {
  readonly source: CertificateSource
  /** Account; '' for the server and its operator. */
  readonly by: string
}

/**
 * Puts a certificate in force; the one before loses its key for good.
 * @param record commits with it
 * @throws AppError as {@link checkPair}
 */
export async function putCertificate(
  { db, clock, ids, vault }: Pick<CertificatesDeps, 'db' | 'clock' | 'ids' | 'vault'>,
  wanted: NewCertificate,
  record?: (tx: Tx, row: CertificatesTable) => Promise<void>,
): Promise<CertificatesTable> {
  const { pem, key, facts } = checkPair(wanted, clock.now())
  const row: CertificatesTable = {
    ...{ id: ids.next(), in_force: 1, source: wanted.source, pem, sealed_key: vault.seal(PURPOSE, key) },
    ...{ not_after: facts.notAfter, reminded_days: 0, added_at: clock.now(), added_by: wanted.by },
  }
  await inTransaction(db, async (tx) => {
    await certificatesStore.retire(tx)
    await certificatesStore.insert(tx, row)
    await record?.(tx, row)
  })
  return row
}

/** Makes a certificate that no authority signed and puts it in force. */
export async function putSelfSigned(
  deps: CertificatesDeps,
  wanted: { readonly names: readonly string[]; readonly days: number; readonly by: string },
  record?: (tx: Tx, row: CertificatesTable) => Promise<void>,
): Promise<CertificatesTable> {
  const serial = deps.random.fill(new Uint8Array(SERIAL_BYTES))
  const made = await makeSelfSigned({ ...wanted, now: deps.clock.now(), serial })
  return putCertificate(deps, { ...made, source: 'self-signed', by: wanted.by }, record)
}

/** Takes the certificate out of force. @returns it, or undefined when there was none */
export async function removeCertificate(
  { db }: Pick<CertificatesDeps, 'db'>,
  record?: (tx: Tx, row: CertificatesTable) => Promise<void>,
): Promise<CertificatesTable | undefined> {
  return inTransaction(db, async (tx) => {
    const row = await certificatesStore.current(tx)
    if (row === undefined) return undefined
    await certificatesStore.retire(tx)
    await record?.(tx, row)
    return row
  })
}

/** Notes the reminder that is due, once for each step. */
export async function remindOfEnd({ db, clock }: Pick<CertificatesDeps, 'db' | 'clock'>): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await certificatesStore.current(tx)
    if (row === undefined) return
    const { names, notBefore, notAfter } = readFacts(row.pem)
    const days = dueReminder({ notBefore, notAfter, remindedDays: row.reminded_days }, clock.now())
    if (days === undefined) return
    await certificatesStore.remind(tx, row.id, days)
    const event = { certificateId: row.id, name: names[0] ?? '', expiresAt: notAfter, days }
    await recordEvent({ tx, clock }, 'certificate.expiring', event)
  })
}

/** Keeps the certificate in force at hand. Nothing is known before the first `refresh`. */
export function watchCertificate({
  db,
  clock,
  vault,
  log,
}: Pick<CertificatesDeps, 'db' | 'clock' | 'vault'> & { readonly log: Pick<Log, 'error'> }): WatchedCertificate {
  const listeners = new Set<() => void>()
  let current: ActiveCertificate | undefined
  let failedId = ''

  function open(row: CertificatesTable): ActiveCertificate | undefined {
    try {
      const key = vault.open(PURPOSE, row.sealed_key)
      if (!new X509Certificate(row.pem).checkPrivateKey(createPrivateKey(key)))
        throw new Error('the key is another one')
      // Looked at once: to know every authority takes milliseconds.
      const publicUntil = isPublic(row.pem, clock.now()) ? Number(row.not_after) : 0
      return { id: row.id, certificate: row.pem, key, isPublic: () => clock.now() <= publicUntil }
    } catch (thrown) {
      // Said once, not every second: the one before stays, so that the site can still be reached.
      failedId = row.id
      log.error({ err: thrown, certificateId: row.id }, 'the certificate in force cannot be used')
      return current
    }
  }

  return {
    current: () => current,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async refresh() {
      const id = await certificatesStore.currentId(db)
      if (id === current?.id || (id !== undefined && id === failedId)) return
      const row = id === undefined ? undefined : await certificatesStore.current(db)
      const opened = row === undefined ? undefined : open(row)
      if (opened?.id === current?.id) return
      current = opened
      for (const listener of listeners) listener()
    },
  }
}
