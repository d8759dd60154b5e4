import type { Clock, Random } from '@godwit/base'
import type { Vault } from '../../kernel/crypto/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { secondFactorStore } from './second-factor.store.ts'
import { isTotpCode, newTotpSecret, stepOfCode, totpUri } from './totp.policy.ts'

export interface SecondFactorDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
}

const PURPOSE = 'second-factor'

export async function hasSecondFactor({ db }: Pick<SecondFactorDeps, 'db'>, userId: string): Promise<boolean> {
  return (await secondFactorStore.byUser(db, userId))?.confirmed === 1
}

export async function recoveryCodesLeft({ db }: Pick<SecondFactorDeps, 'db'>, userId: string): Promise<number> {
  return secondFactorStore.codesLeft(db, userId)
}

/**
 * A new secret that is not asked for until {@link confirmSecondFactor}. An earlier one that was never confirmed is gone.
 * @throws AppError SECOND_FACTOR_ON
 */
export async function beginSecondFactor(
  { db, vault }: SecondFactorDeps,
  user: { readonly id: string; readonly account: string },
  issuer: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = newTotpSecret()
  const row = { user_id: user.id, sealed_secret: vault.seal(PURPOSE, secret), confirmed: 0, last_step: 0 }
  await inTransaction(db, async (tx) => {
    if ((await secondFactorStore.byUser(tx, user.id))?.confirmed === 1) throw new AppError('SECOND_FACTOR_ON')
    await secondFactorStore.replace(tx, row)
  })
  return { secret, uri: totpUri(issuer, user.account, secret) }
}

/**
 * Switches it on, with a first right code as the proof that the app has the secret.
 * @returns the recovery codes, of which only hashes are kept
 * @throws AppError SECOND_FACTOR_WRONG, SECOND_FACTOR_ON
 */
export async function confirmSecondFactor(deps: SecondFactorDeps, userId: string, code: string): Promise<string[]> {
  if (await hasSecondFactor(deps, userId)) throw new AppError('SECOND_FACTOR_ON')
  if (!(await spendTotp(deps, userId, code))) throw new AppError('SECOND_FACTOR_WRONG')
  const codes = newRecoveryCodes(deps.random)
  await inTransaction(deps.db, async (tx) => {
    if (!(await secondFactorStore.confirm(tx, userId))) throw new AppError('SECOND_FACTOR_ON')
    await secondFactorStore.replaceCodes(tx, userId, hashesOf(userId, codes))
    await recordChange({ tx, clock: deps.clock }, userId, 'second-factor-on')
  })
  return codes
}

/**
 * Takes a code of the app, or a recovery code. Either counts once, whoever else shows it at the same time.
 * The caller counts wrong ones.
 * @throws AppError SECOND_FACTOR_WRONG
 */
export async function takeSecondFactor(deps: SecondFactorDeps, userId: string, code: string): Promise<void> {
  const typed = code.replaceAll(/\s/g, '')
  const isRight = isTotpCode(typed)
    ? await spendTotp(deps, userId, typed)
    : await secondFactorStore.spendCode(deps.db, userId, hashRecoveryCode(userId, typed))
  if (!isRight) throw new AppError('SECOND_FACTOR_WRONG')
}

export async function renewRecoveryCodes({ db, random }: SecondFactorDeps, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes(random)
  await inTransaction(db, (tx) => secondFactorStore.replaceCodes(tx, userId, hashesOf(userId, codes)))
  return codes
}

export async function removeSecondFactor(
  { db, clock }: Pick<SecondFactorDeps, 'db' | 'clock'>,
  userId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await secondFactorStore.remove(tx, userId)
    await recordChange({ tx, clock }, userId, 'second-factor-off')
  })
}

function recordChange(
  deps: { readonly tx: Tx; readonly clock: Clock },
  userId: string,
  what: 'second-factor-on' | 'second-factor-off',
): Promise<void> {
  return recordEvent(deps, 'account.access-changed', { userId, what, name: '', at: deps.clock.now() })
}

async function spendTotp({ db, clock, vault }: SecondFactorDeps, userId: string, code: string): Promise<boolean> {
  const row = await secondFactorStore.byUser(db, userId)
  if (row === undefined) return false
  const secret = vault.open(PURPOSE, row.sealed_secret)
  const step = stepOfCode({ secret, code, now: clock.now(), lastStep: row.last_step })
  return step !== undefined && (await secondFactorStore.spendStep(db, userId, step))
}

function hashesOf(userId: string, codes: readonly string[]): string[] {
  return codes.map((code) => hashRecoveryCode(userId, code))
}
