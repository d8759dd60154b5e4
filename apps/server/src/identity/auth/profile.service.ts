import { LIMITS } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, isDuplicate, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { hasControls } from '../../kernel/plain-text.ts'
import {
  foldCase,
  isEmail,
  localeByWire,
  localeOf,
  preferencesStore,
  usersStore,
  type UserRow,
} from '../users/index.ts'
import { provePassword, type AuthDeps } from './auth.service.ts'

export interface ProfileChange {
  readonly email?: string | undefined
  /** As the wire has it; asked again for another address, by which the password could be reset. */
  readonly password?: string | undefined
  readonly name?: string | undefined
  readonly noticeMailSwitch?: number | undefined
  /** MAIL_LANGUAGE. */
  readonly language?: number | undefined
}

/**
 * Changes what an account may change of itself. The old address learns that mails go elsewhere now.
 * @throws AppError ACCOUNT_MANAGED_ELSEWHERE, EMAIL_INVALID, EMAIL_EXISTS, PARAMETER_INVALID, OLD_PASSWORD_WRONG, ACCOUNT_LOCKED
 */
export async function changeProfile(deps: AuthDeps, ctx: UserCtx, wanted: ProfileChange): Promise<void> {
  const user = await usersStore.byId(deps.db, ctx.principal.id)
  if (user === undefined) throw new AppError('TOKEN_INVALID')
  const changesIdentity = wanted.name !== undefined || (wanted.email !== undefined && wanted.email !== user.email)
  if (changesIdentity && (await deps.elsewhere?.isManaged(user.id)) === true)
    throw new AppError('ACCOUNT_MANAGED_ELSEWHERE')
  if (wanted.name !== undefined) requireName(wanted.name)
  if (wanted.email !== undefined && !isEmail(wanted.email)) throw new AppError('EMAIL_INVALID')
  const email = wanted.email === user.email ? undefined : wanted.email
  if (email !== undefined) await provePassword(deps, ctx, { user, password: wanted.password ?? '' })
  try {
    await inTransaction(deps.db, async (tx) => {
      if (wanted.name !== undefined) await usersStore.update(tx, user.id, { name: wanted.name })
      await changePreferences(tx, user.id, wanted)
      if (email !== undefined) await changeEmail(deps, tx, { user, email })
    })
  } catch (thrown) {
    // The unique key decides, also between two who want the same address at once.
    if (isDuplicate(thrown)) throw new AppError('EMAIL_EXISTS', undefined, { cause: thrown })
    throw thrown
  }
}

function requireName(name: string): void {
  const isPlain = name.trim() === name && !hasControls(name)
  if (name === '' || [...name].length > LIMITS.displayNameMax || !isPlain) {
    throw new AppError('PARAMETER_INVALID', { field: 'name' })
  }
}

async function changePreferences(tx: Tx, userId: string, { noticeMailSwitch, language }: ProfileChange): Promise<void> {
  if (noticeMailSwitch === undefined && language === undefined) return
  await preferencesStore.change(tx, userId, {
    ...(noticeMailSwitch === undefined ? {} : { notice_mail: noticeMailSwitch }),
    ...(language === undefined ? {} : { language: localeByWire(language) }),
  })
}

async function changeEmail(
  deps: AuthDeps,
  tx: Tx,
  { user, email }: { readonly user: UserRow; readonly email: string },
): Promise<void> {
  const at = deps.clock.now()
  await usersStore.update(tx, user.id, { email, email_key: foldCase(email) })
  await recordEvent({ tx, clock: deps.clock }, 'account.email-changed', { userId: user.id, email, at })
  if (user.email === '' || !(await deps.mailer.isConfigured(tx))) return
  const locale = localeOf(await preferencesStore.of(tx, user.id))
  await deps.mailer.send({ to: user.email, template: 'email-changed', locale, values: { account: user.account } }, tx)
}
