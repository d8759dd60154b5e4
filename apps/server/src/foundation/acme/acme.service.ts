import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Clock } from '@godwit/base'
import type { AcmeView } from '@godwit/contract'
import type { Log } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Locks } from '../../kernel/locks/index.ts'
import { outboundFetch, type Outbound } from '../../kernel/outbound/index.ts'
import {
  certificatePut,
  certificatesStore,
  makeSigningRequest,
  putCertificate,
  readFacts,
} from '../certificates/index.ts'
import { appendOperations, type ChangedThing } from '../operation-log/index.ts'
import type { Settings } from '../settings/index.ts'
import { connectAcme } from './acme-connection.ts'
import { AcmeFailure, toAcmeFailure } from './acme-failure.ts'
import { orderCertificate } from './acme-order.ts'
import { isOrderDue, nextTry, renewalTime, settingsId, type InForce } from './acme.policy.ts'
import { ACME_SETTINGS, wantedNames, type AcmeSettings } from './acme.settings.ts'
import { acmeStore } from './acme.store.ts'

export interface AcmeDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  readonly vault: Vault
  readonly locks: Locks
  readonly outbound: Outbound
  readonly settings: Settings
  readonly log: Pick<Log, 'info' | 'warn'>
}

const PURPOSE = 'acme-account'
const LOCK = 'acme.order'
/** An order that takes longer is given up: every name is asked for once by the authority, which takes seconds. */
const ORDER_MS = 5 * 60_000

/**
 * Orders a certificate when one is due. Of several nodes one does it, and the others answer the authority as well.
 * @param signal ends the order; the next node, or the next start, begins it anew
 */
export async function orderWhenDue(deps: AcmeDeps, signal: AbortSignal): Promise<void> {
  const { locks, clock } = deps
  if (!isOrderDue(await standingOf(deps), clock.now())) return
  await locks.tryRun(LOCK, async (held) => {
    // Another node may have ended its order, or taken other settings, while this one came for the lock.
    deps.settings.forget()
    const { settings, ...standing } = await standingOf(deps)
    if (!isOrderDue({ settings, ...standing }, clock.now())) return
    const stop = AbortSignal.any([signal, held.signal])
    await orderOnce(deps, settings, stop)
  })
}

async function orderOnce(deps: AcmeDeps, settings: AcmeSettings, stop: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  const names = wantedNames(settings['acme.domains'])
  await acmeStore.change(db, { started_at: clock.now() })
  try {
    await putOrdered(deps, settings, AbortSignal.any([stop, AbortSignal.timeout(ORDER_MS)]))
    await acmeStore.change(db, { ...ended(deps, settings), failures: 0, reason: '', words: '' })
    log.info({ names }, 'a certificate was ordered and is in force')
  } catch (thrown) {
    if (stop.aborted) {
      await acmeStore.change(db, { started_at: 0 })
      throw thrown
    }
    const { reason, words } = toAcmeFailure(thrown)
    const { failures } = await acmeStore.state(db)
    await acmeStore.change(db, { ...ended(deps, settings), failures: failures + 1, reason, words })
    log.warn({ err: thrown, names, reason }, 'no certificate was ordered; the one in force stays')
  } finally {
    await acmeStore.clearChallenges(db)
  }
}

function ended({ clock }: AcmeDeps, settings: AcmeSettings) {
  return { wanted_at: 0, started_at: 0, tried_at: clock.now(), settings_id: settingsId(settings) }
}

async function putOrdered(deps: AcmeDeps, settings: AcmeSettings, signal: AbortSignal): Promise<void> {
  const { db, clock, outbound } = deps
  const way = { outbound, ca: settings['acme.authority'], signal }
  const account = await accountKey(deps, settings['acme.directory'])
  const acme = await connectAcme((to, request) => outboundFetch(way, to, request), settings['acme.directory'], account)
  const names = wantedNames(settings['acme.domains'])
  const { request, key } = await makeSigningRequest(names)
  const certificate = await orderCertificate(acme, {
    ...{ names, contact: settings['acme.contact'], request, signal },
    offer: (token, answer) => acmeStore.addChallenge(db, { token, answer, expires_at: clock.now() + ORDER_MS }),
  })
  try {
    await putCertificate(deps, { certificate, key, source: 'acme', by: '' }, (tx, row) =>
      logPut(deps, tx, certificatePut(row)),
    )
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    throw new AcmeFailure('unusable', thrown.code, { cause: thrown })
  }
}

/** Nobody asks for a renewal, so the row names no account. */
function logPut({ clock }: AcmeDeps, tx: Tx, thing: ChangedThing): Promise<void> {
  const actor = { id: '', account: '', door: 'schedule', address: '', userAgent: '', requestId: '' }
  return appendOperations({ clock }, tx, { actor, operation: 'certificate.set', things: [thing] })
}

/** One key for each authority, made when it is first asked, kept sealed. */
async function accountKey({ db, clock, vault }: AcmeDeps, directory: string): Promise<KeyObject> {
  const id = createHash('sha256').update(directory).digest('hex')
  const known = await acmeStore.account(db, id)
  if (known !== undefined) return createPrivateKey(vault.open(PURPOSE, known.sealed_key))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await acmeStore.addAccount(db, { id, directory, sealed_key: vault.seal(PURPOSE, pem), made_at: clock.now() })
  return privateKey
}

/** Asks for an order at once, whatever is in force. @throws AppError ACME_OFF */
export async function wantOrder({ db, clock, settings }: Pick<AcmeDeps, 'db' | 'clock' | 'settings'>): Promise<void> {
  if ((await settings.of(ACME_SETTINGS))['acme.switch'] === 0) throw new AppError('ACME_OFF')
  await acmeStore.change(db, { wanted_at: clock.now() })
}

/** How the orders stand. */
export async function viewAcme(deps: Pick<AcmeDeps, 'db' | 'clock' | 'settings'>): Promise<AcmeView> {
  const { settings, state, inForce } = await standingOf(deps)
  const now = deps.clock.now()
  const isOn = settings['acme.switch'] === 1
  const isUnderWay = state.wanted_at > 0 || (state.started_at > 0 && now - state.started_at < ORDER_MS)
  const next = Math.max(renewalTime({ settings, state, inForce }), nextTry(settings, state))
  return {
    isOn,
    directory: settings['acme.directory'],
    names: wantedNames(settings['acme.domains']),
    isOrdering: isOn && isUnderWay,
    triedAt: state.tried_at === 0 ? null : state.tried_at,
    nextAt: isOn && !isUnderWay ? Math.max(now, Math.ceil(next)) : null,
    failure: state.reason === '' ? null : { reason: state.reason, words: state.words, count: state.failures },
  }
}

async function standingOf({ db, settings }: Pick<AcmeDeps, 'db' | 'settings'>) {
  const values = await settings.of(ACME_SETTINGS)
  const [state, row] = await Promise.all([acmeStore.state(db), certificatesStore.current(db)])
  const inForce: InForce | undefined = row && { ...readFacts(row.pem), source: row.source }
  return { settings: values, state, inForce }
}
