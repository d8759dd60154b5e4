import type { Clock } from '@godwit/base'
import { hasPassword, type AccountType } from '@godwit/contract'
import { secretsEqual, type Vault } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { administratorsStore, loadStanding } from '../administrators/index.ts'
import { hasSecondFactor } from '../second-factor/index.ts'
import { usersStore, type UserRow } from '../users/index.ts'
import { FACTOR_FOR, type AuthSwitches } from './auth.settings.ts'

export interface FactorDeps {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly switches: () => Promise<AuthSwitches>
}

/** Time to find the phone and an app for it. */
const SET_UP_MS = 10 * 60_000

/**
 * Whether an account has to have a second factor: the site demands it of everybody or of whoever administers something, or
 * its role does. Accounts of an identity provider prove there what they have to.
 */
export async function needsSecondFactor({ db, switches }: FactorDeps, user: UserRow): Promise<boolean> {
  if (!hasPassword(user.account_type as AccountType)) return false
  const { 'security.secondFactor': demanded } = await switches()
  if (demanded === FACTOR_FOR.everybody) return true
  if (demanded === FACTOR_FOR.administrators && (await loadStanding(db, user)) !== undefined) return true
  return (await administratorsStore.roleOf(db, user.id))?.second_factor === 1
}

/**
 * For somebody whose password is right: without the second factor that is demanded there is no session, only the way to it.
 * @throws AppError SECOND_FACTOR_SETUP_REQUIRED with the ticket for the set-up
 */
export async function requireFactorSetUp(deps: FactorDeps, user: UserRow): Promise<void> {
  if ((await hasSecondFactor(deps, user.id)) || !(await needsSecondFactor(deps, user))) return
  const stamp = `${user.id}.${deps.clock.now() + SET_UP_MS}`
  throw new AppError('SECOND_FACTOR_SETUP_REQUIRED', { setUp: `${stamp}.${proofOf(deps, stamp, user)}` })
}

/**
 * Whose ticket this is. It proves a password of minutes ago, so a change of the password ends it; a second factor that is on
 * ends it as well.
 * @throws AppError SIGN_IN_AGAIN
 */
export async function ownerOfSetUp(deps: FactorDeps, ticket: string): Promise<UserRow> {
  const [userId = '', until = '', proof = ''] = ticket.split('.')
  const user = await usersStore.byId(deps.db, userId)
  const isProven = user !== undefined && secretsEqual(proof, proofOf(deps, `${userId}.${until}`, user))
  if (!isProven || Number(until) <= deps.clock.now() || (await hasSecondFactor(deps, userId))) {
    throw new AppError('SIGN_IN_AGAIN')
  }
  return user
}

function proofOf({ vault }: FactorDeps, stamp: string, { password_hash: hash }: UserRow): string {
  return vault.mac('second-factor-set-up', `${stamp}:${hash}`)
}
