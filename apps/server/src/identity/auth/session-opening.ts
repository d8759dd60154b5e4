import type { LoginReply, SignInView } from '@godwit/contract'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { coversAddress, usersStore, type UserRow, type UsersDeps } from '../users/index.ts'
import { newDevice, type DevicesDeps } from './devices.ts'
import { requireSignInsOpen } from './paused-sign-ins.ts'
import type { Sessions } from './sessions.service.ts'
import { noteSignIn } from './sign-ins.ts'
import { noteSource } from './sources.ts'

export interface OpeningDeps extends DevicesDeps {
  readonly db: Db
  readonly sessions: Pick<Sessions, 'open' | 'end'>
  readonly users: Pick<UsersDeps, 'ids'>
  readonly versions: { readonly protocol: string; readonly client: string }
  readonly state?: ServerState
}

/**
 * @param user as it was when it was proven who this is
 * @throws AppError ADDRESS_NOT_ALLOWED, SERVER_PAUSED, PASSWORD_WRONG when the password was replaced meanwhile,
 * PASSWORD_RESET_REQUIRED when it has to be by now
 */
export async function openSession(
  deps: OpeningDeps,
  ctx: Pick<Ctx, 'address' | 'userAgent'>,
  user: UserRow,
  method: SignInView['method'],
): Promise<LoginReply> {
  await requireSignInsOpen(deps, user)
  if (!coversAddress(user.login_addresses, ctx.address)) {
    await noteSignIn({ ...deps, ids: deps.users.ids }, ctx, { userId: user.id, method, result: 'refused' })
    throw new AppError('ADDRESS_NOT_ALLOWED')
  }
  const { sessionId, ...pair } = await deps.sessions.open(user, ctx)
  if (method === 'password' || method === 'second-factor') await requireSamePassword(deps, user, sessionId)
  await usersStore.update(deps.db, user.id, { last_sign_in_at: deps.clock.now() })
  await noteSignIn({ ...deps, ids: deps.users.ids }, ctx, { userId: user.id, method, result: 'success' })
  await noteSource(deps, ctx, user.id)
  return {
    token: pair.token,
    refresh_token: pair.refreshToken,
    userId: user.id,
    protocol_version: deps.versions.protocol,
    client_version: deps.versions.client,
    account: user.account,
    device: newDevice(deps, user),
  }
}

/**
 * A new password ends the sessions that there are. One that begins with the old password at the same time may come after
 * that, so it is looked at again once it is there.
 */
async function requireSamePassword({ db, sessions }: OpeningDeps, user: UserRow, sessionId: string): Promise<void> {
  const now = await usersStore.byId(db, user.id)
  const isSame = now?.password_hash === user.password_hash
  if (isSame && now?.must_reset === user.must_reset) return
  await sessions.end(sessionId, user.id, 'password-changed')
  throw new AppError(isSame ? 'PASSWORD_RESET_REQUIRED' : 'PASSWORD_WRONG')
}
