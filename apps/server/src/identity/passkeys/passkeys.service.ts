import type { Clock } from '@godwit/base'
import { SECURITY_LIMITS, type PasskeyView } from '@godwit/contract'
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import { hashToken } from '../../kernel/crypto/index.ts'
import { inTransaction, isDuplicate, type Db } from '../../kernel/db/index.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { UserRow } from '../users/index.ts'
import type { Challenges } from './challenges.ts'
import type { PasskeyRow } from './passkeys.schema.ts'
import { passkeysStore } from './passkeys.store.ts'
import type { RelyingParty } from './relying-party.ts'

export interface PasskeysDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  readonly challenges: Challenges
}

/** What a browser hands over; its shape is checked by the library that reads it. */
export type BrowserAnswer = Readonly<Record<string, unknown>>

/** Two hundred files that only a server with passkeys needs. */
const webAuthn = () => import('@simplewebauthn/server')

/** @throws AppError PASSKEY_LIMIT */
export async function beginRegistration(
  { db, challenges }: PasskeysDeps,
  user: UserRow,
  { site, siteName }: { readonly site: RelyingParty; readonly siteName: string },
) {
  const present = await passkeysStore.ofUser(db, user.id)
  if (present.length >= SECURITY_LIMITS.passkeysMax) throw new AppError('PASSKEY_LIMIT')
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID: site.id,
    userName: user.account,
    userID: new TextEncoder().encode(user.id),
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: present.map((row) => ({ id: row.credential_id })),
    // It stands in for account, password and second factor: it must know the account and prove the person.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await challenges.note(options.challenge, user.id)
  return options
}

/** @throws AppError PASSKEY_REFUSED, PASSKEY_LIMIT */
export async function finishRegistration(
  deps: PasskeysDeps,
  user: UserRow,
  wanted: { readonly site: RelyingParty; readonly name: string; readonly response: BrowserAnswer },
): Promise<PasskeyView> {
  const { site, name, response } = wanted
  const credential = await refusing(async () => {
    const { verifyRegistrationResponse } = await webAuthn()
    const result = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => deps.challenges.take(challenge, user.id),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
    })
    return result.registrationInfo?.credential
  })
  const row = newRow(deps, { user, site, name, credential })
  try {
    await inTransaction(deps.db, async (tx) => {
      const present = await passkeysStore.ofUser(tx, user.id)
      if (present.length >= SECURITY_LIMITS.passkeysMax) throw new AppError('PASSKEY_LIMIT')
      await passkeysStore.insert(tx, row)
      const event = { userId: user.id, what: 'passkey-added', name: row.name, at: row.created_at } as const
      await recordEvent({ tx, clock: deps.clock }, 'account.access-changed', event)
    })
  } catch (thrown) {
    // A credential belongs to whoever brought it first.
    if (isDuplicate(thrown)) throw new AppError('PASSKEY_REFUSED', undefined, { cause: thrown })
    throw thrown
  }
  return present(row)
}

interface Registered {
  readonly user: UserRow
  readonly site: RelyingParty
  readonly name: string
  readonly credential: WebAuthnCredential
}

function newRow({ clock, ids }: PasskeysDeps, { user, site, name, credential }: Registered): PasskeyRow {
  return {
    id: ids.next(),
    user_id: user.id,
    credential_hash: hashToken(credential.id),
    credential_id: credential.id,
    site: site.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: (credential.transports ?? []).join(',').slice(0, 255),
    name,
    created_at: clock.now(),
    last_used_at: null,
  }
}

/** Names no account: whoever asks learns nothing. */
export async function beginLogin({ challenges }: PasskeysDeps, site: RelyingParty) {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({ rpID: site.id, userVerification: 'required' })
  await challenges.note(options.challenge, '')
  return { challengeId: options.challenge, options }
}

/**
 * Checks the answer to {@link beginLogin}.
 * @returns whose passkey it is
 * @throws AppError PASSKEY_REFUSED
 */
export async function proveByPasskey(
  { db, clock, challenges }: PasskeysDeps,
  site: RelyingParty,
  { challengeId, response }: { readonly challengeId: string; readonly response: BrowserAnswer },
): Promise<string> {
  // Taken before anything is looked at, so that one challenge is answered once.
  const isAsked = await challenges.take(challengeId, '')
  const row = await passkeysStore.byCredential(db, hashToken(String(response['id'])))
  if (!isAsked || row === undefined || row.site !== site.id) throw new AppError('PASSKEY_REFUSED')
  const counter = await refusing(async () => {
    const { verifyAuthenticationResponse } = await webAuthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challengeId,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: credentialOf(row),
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : undefined
  })
  const isFirst = await passkeysStore.use(db, row, { counter, at: clock.now() })
  if (!isFirst) throw new AppError('PASSKEY_REFUSED')
  return row.user_id
}

export async function listPasskeys({ db }: Pick<PasskeysDeps, 'db'>, userId: string): Promise<PasskeyView[]> {
  return (await passkeysStore.ofUser(db, userId)).map(present)
}

/** @throws AppError PASSKEY_NOT_FOUND, also for those of others */
export async function renamePasskey(
  { db }: Pick<PasskeysDeps, 'db'>,
  userId: string,
  wanted: { readonly id: string; readonly name: string },
): Promise<void> {
  const isRenamed = await inTransaction(db, async (tx) => passkeysStore.rename(tx, userId, wanted))
  if (!isRenamed) throw new AppError('PASSKEY_NOT_FOUND')
}

/** @throws AppError PASSKEY_NOT_FOUND, also for those of others */
export async function removePasskey({ db }: Pick<PasskeysDeps, 'db'>, userId: string, id: string): Promise<void> {
  if (!(await passkeysStore.remove(db, userId, id))) throw new AppError('PASSKEY_NOT_FOUND')
}

function credentialOf(row: PasskeyRow): WebAuthnCredential {
  const publicKey = new Uint8Array(Buffer.from(row.public_key, 'base64url'))
  return { id: row.credential_id, publicKey, counter: row.counter }
}

/** The library throws plain errors for everything that does not hold, and for what it cannot read. */
async function refusing<Result>(work: () => Promise<Result | undefined>): Promise<Result> {
  try {
    const result = await work()
    if (result !== undefined) return result
  } catch (thrown) {
    throw new AppError('PASSKEY_REFUSED', undefined, { cause: thrown })
  }
  throw new AppError('PASSKEY_REFUSED')
}

function present(row: PasskeyRow): PasskeyView {
  return { id: row.id, name: row.name, createdAt: row.created_at, lastUsedAt: row.last_used_at }
}
