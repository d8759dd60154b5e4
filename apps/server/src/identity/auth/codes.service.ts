import type { Clock, Random } from '@godwit/base'
import type { SentCode } from '@godwit/contract'
import type { Mail, Mailer } from '../../foundation/mail/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { hashToken, newToken, secretsEqual, type Vault } from '../../kernel/crypto/index.ts'
import { inTransaction, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { UserRow } from '../users/index.ts'
import { afterFailure, lockLeft, sourceOf, type AttemptRule } from './attempts.policy.ts'
import { attemptsStore } from './attempts.store.ts'
import { ADDRESS_RULE, CODE_RULE, newCode, pauseLeft, SUBJECT_RULE, typedCode } from './codes.policy.ts'
import { codesStore, type CodeKey } from './codes.store.ts'

export interface CodesDeps {
  readonly db: Db
  readonly dialect: DialectName
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly mailer: Mailer
}

export type CodePurpose = 'sign-in' | 'reset' | 'link'

/** Whom a code is for: an account, or whoever reads the mail of an address that a link was sent to. */
export interface CodeHolder {
  readonly id: string
  readonly email: string
}

export interface CodeRequest {
  readonly purpose: CodePurpose
  /** Folded account (sign-in) or e-mail (reset), or the link with the folded e-mail. */
  readonly key: string
  /** Who gets it; undefined: nobody, and the answer is the same. */
  readonly holder: CodeHolder | undefined
  readonly mail: Pick<Mail, 'template' | 'locale' | 'values' | 'ownerId'>
  /** What else is counted and refused, whoever it is about. */
  readonly limits?: ReadonlyArray<{ readonly subject: string; readonly rule: AttemptRule }>
}

/** Notes that a sign-in was proven up to its code, so that one may be sent. */
export async function expectCode(deps: CodesDeps, user: UserRow): Promise<void> {
  const key = keyOf(deps, 'sign-in', user.account_key)
  const now = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const row = await codesStore.of(tx, key)
    // A second sign-in while its code is on the way must not make that code worthless.
    if (row?.user_id === user.id && row.expires_at > now && row.tries < CODE_RULE.tries) return
    const expires_at = now + CODE_RULE.lifeMs
    await codesStore.put(tx, { ...key, code_mac: '', user_id: user.id, sent_at: 0, expires_at, tries: 0 })
  })
}

/**
 * Sends a code, at most every 60 s and five times an hour. Nobody gets one who did not prove the password (sign-in), yet
 * everybody is answered alike and costs the same: the same rows are written and the same job is queued.
 * @throws AppError RATE_LIMITED
 */
export async function sendCode(deps: CodesDeps, ctx: Pick<Ctx, 'address'>, request: CodeRequest): Promise<SentCode> {
  const { purpose } = request
  const key = keyOf(deps, purpose, request.key)
  const now = deps.clock.now()
  const code = newCode(deps.random)
  return inTransaction(deps.db, async (tx) => {
    const row = await codesStore.of(tx, key)
    const isLive = row !== undefined && row.expires_at > now && row.tries < CODE_RULE.tries
    const isExpected = purpose !== 'sign-in' || (isLive && row.user_id !== null)
    const holder = isExpected ? request.holder : undefined
    // Strangers who ask for somebody's codes must not use up the ones that this person may have.
    const subject = `codes:${holder === undefined ? 'decoy-' : ''}${purpose}:${key.subject}`
    const isAllowed = await lockedCount(deps, tx, subject)
    const wait = isLive ? pauseLeft(row.sent_at, now) : 0
    if (wait > 0 && (row?.user_id ?? null) === (holder?.id ?? null))
      return presentSent(wait, (row?.expires_at ?? now) - now)
    await isAllowed(SUBJECT_RULE)
    const address = { subject: `codes-address:${sourceOf(ctx.address)}`, rule: ADDRESS_RULE }
    for (const limit of [address, ...(request.limits ?? [])])
      await (
        await lockedCount(deps, tx, limit.subject)
      )(limit.rule)
    const mac = codeMac(deps, key, code)
    const fresh = {
      code_mac: mac,
      user_id: holder?.id ?? null,
      sent_at: now,
      expires_at: now + CODE_RULE.lifeMs,
      tries: 0,
    }
    await codesStore.put(tx, { ...key, ...fresh })
    await deps.mailer.send(
      {
        ...request.mail,
        to: holder?.email ?? '',
        values: { ...request.mail.values, code, minutes: CODE_RULE.lifeMs / 60_000 },
        deadlineMs: CODE_RULE.lifeMs,
      },
      tx,
    )
    return presentSent(CODE_RULE.resendMs, CODE_RULE.lifeMs)
  })
}

/**
 * Takes a code, once. Each try is counted before the code is looked at, so that tries at the same time cannot pass.
 * @returns id of the holder it was sent to
 * @throws AppError EMAIL_CODE_WRONG with the tries left, EMAIL_CODE_EXPIRED
 */
export async function takeCode(
  deps: CodesDeps,
  purpose: CodePurpose,
  typed: { readonly key: string; readonly code: string },
): Promise<string> {
  const key = keyOf(deps, purpose, typed.key)
  const limits = { tries: CODE_RULE.tries, now: deps.clock.now() }
  if (!(await codesStore.takeTry(deps.db, key, limits))) throw new AppError('EMAIL_CODE_EXPIRED')
  const row = await codesStore.of(deps.db, key)
  if (row === undefined) throw new AppError('EMAIL_CODE_EXPIRED')
  const isRight = secretsEqual(codeMac(deps, key, typedCode(typed.code) ?? ''), row.code_mac)
  if (!isRight || row.user_id === null) {
    throw new AppError('EMAIL_CODE_WRONG', { triesLeft: CODE_RULE.tries - row.tries })
  }
  if (!(await codesStore.spend(deps.db, row))) throw new AppError('EMAIL_CODE_EXPIRED')
  return row.user_id
}

/** A token that sets one new password for this account, within ten minutes, in place of the one it has now, and while it has this address. */
export async function grantReset(deps: CodesDeps, user: UserRow): Promise<string> {
  const drawn = newToken(deps.random)
  const token = `${drawn}.${resetMac(deps, drawn, user)}`
  const expires_at = deps.clock.now() + CODE_RULE.lifeMs
  await codesStore.addReset(deps.db, { token_hash: hashToken(token), user_id: user.id, expires_at })
  return token
}

/** Whether password and address are still those that the token was given for. */
export function fitsReset(deps: CodesDeps, token: string, user: UserRow): boolean {
  const [drawn = '', mac = ''] = token.split('.')
  return secretsEqual(mac, resetMac(deps, drawn, user))
}

function resetMac({ vault }: CodesDeps, drawn: string, user: UserRow): string {
  return vault.mac('reset', `${drawn}:${user.id}:${user.password_hash}:${user.email_key ?? ''}`)
}

/** Forgets codes and tokens that are over. */
export async function purgeCodes({ db, clock }: Pick<CodesDeps, 'db' | 'clock'>): Promise<void> {
  await codesStore.removeExpired(db, clock.now())
}

/** A code's row: its subject is a keyed hash, so that the table says nothing about who asked. */
function keyOf({ vault }: CodesDeps, purpose: CodePurpose, key: string): CodeKey {
  return { purpose, subject: vault.mac('code-subject', key) }
}

function codeMac({ vault }: CodesDeps, { purpose, subject }: CodeKey, code: string): string {
  return vault.mac(`code:${purpose}`, `${subject}:${code}`)
}

function presentSent(resendMs: number, lifeMs: number): SentCode {
  return { resendAfterSeconds: Math.ceil(resendMs / 1000), expiresInSeconds: Math.ceil(lifeMs / 1000) }
}

/** Holds a counter until the transaction ends. @returns what counts one more. @throws AppError RATE_LIMITED */
async function lockedCount({ clock, dialect }: CodesDeps, tx: Tx, subject: string) {
  const row = await attemptsStore.hold(tx, dialect, subject)
  return async (rule: AttemptRule): Promise<void> => {
    const now = clock.now()
    const state = { failures: row.failures, since: row.since, lockedUntil: row.locked_until }
    const left = lockLeft(state, rule, now)
    if (left > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(left / 1000) })
    const next = afterFailure(state, rule, now)
    await attemptsStore.put(tx, { subject, failures: next.failures, since: next.since, locked_until: next.lockedUntil })
  }
}
