import {
  SECURITY_LIMITS,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
  wirePermission,
  type DeviceLoginRequest,
  type DeviceLoginState,
} from '@godwit/contract'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import { createApiToken } from '../api-tokens/index.ts'
import { provePassword, requireSignInsOpen, sourceOf, type AuthDeps } from '../auth/index.ts'
import { isUsable, usersStore } from '../users/index.ts'
import type { DeviceLoginRow } from './devices.schema.ts'
import { devicesStore } from './devices.store.ts'

export interface DeviceLoginDeps {
  readonly auth: AuthDeps
  readonly ids: Ids
  /** Sign-ins that one address may begin, and questions of one program. */
  readonly begins: CallLimit
  readonly polls: CallLimit
  /** Codes that one account may try. */
  readonly looks: CallLimit
}

/** What a program says of itself. */
export interface ProgramFacts {
  readonly name: string
  readonly platform: string
  readonly version: string
}

/** A person has so long to confirm it. */
const LIFE_MS = 10 * 60_000
const INTERVAL_SECONDS = 3
const GROUP_LENGTH = 4

/** @throws AppError RATE_LIMITED */
export async function beginDeviceLogin({ auth, ids, begins }: DeviceLoginDeps, ctx: Ctx, program: ProgramFacts) {
  await begins.take(sourceOf(ctx.address))
  const { db, clock, random } = auth
  const deviceCode = newToken(random)
  const userCode = newUserCode(random)
  const now = clock.now()
  await devicesStore.insertLogin(db, {
    ...{ id: ids.next(), secret_hash: hashToken(deviceCode), user_code: userCode, ...program },
    ...{ address: ctx.address.slice(0, 64), state: 'pending', user_id: null, stamp: '' },
    ...{ created_at: now, expires_at: now + LIFE_MS },
  })
  const shown = `${userCode.slice(0, GROUP_LENGTH)}-${userCode.slice(GROUP_LENGTH)}`
  return {
    ...{ deviceCode, userCode: shown, path: `/profile/tokens?device=${shown}` },
    ...{ expiresIn: LIFE_MS / 1000, interval: INTERVAL_SECONDS },
  }
}

/** Each letter is equally likely: bytes beyond the last whole round of the alphabet are drawn again. */
function newUserCode(random: AuthDeps['random']): string {
  const letters = USER_CODE_LETTERS.length
  const most = 256 - (256 % letters)
  let code = ''
  while (code.length < USER_CODE_LENGTH) {
    for (const byte of random.fill(new Uint8Array(USER_CODE_LENGTH))) {
      if (byte < most && code.length < USER_CODE_LENGTH) code += USER_CODE_LETTERS[byte % letters] ?? ''
    }
  }
  return code
}

interface Redeemed {
  readonly state: DeviceLoginState
  readonly token: string
  readonly account: string
}

const NOTHING = { token: '', account: '' }

/**
 * What became of a sign-in. The token is made when its program asks for it, so that nobody else ever holds it.
 * @throws AppError RATE_LIMITED, API_TOKEN_LIMIT
 */
export async function redeemDeviceLogin(deps: DeviceLoginDeps, deviceCode: string): Promise<Redeemed> {
  const { auth, ids, polls } = deps
  const { db, clock } = auth
  const row = await devicesStore.loginBySecret(db, hashToken(deviceCode))
  if (row === undefined) return { state: 'expired', ...NOTHING }
  await polls.take(row.id)
  if (row.expires_at <= clock.now()) return { state: 'expired', ...NOTHING }
  if (row.state !== 'granted') return { state: row.state, ...NOTHING }
  const user = row.user_id === null ? undefined : await usersStore.byId(db, row.user_id)
  if (user !== undefined) await requireSignInsOpen(auth, user)
  const isStill = user !== undefined && isUsable(user, clock.now()) && hashToken(user.password_hash) === row.stamp
  if (!(await devicesStore.removeLogin(db, row.id)) || !isStill) return { state: 'expired', ...NOTHING }
  const wanted = { name: row.name, permission: wirePermission(user.permission), days: SECURITY_LIMITS.apiTokenDaysMax }
  const { token, apiToken } = await createApiToken({ ...auth, ids }, user, wanted)
  const { name, platform, version, address } = row
  const device = { api_token_id: apiToken.id, name, platform, version, address, last_seen_at: clock.now() }
  await devicesStore.insert(db, device)
  return { state: 'granted', token, account: user.account }
}

/** @throws AppError DEVICE_CODE_INVALID, RATE_LIMITED */
export async function lookAtDeviceLogin(
  deps: DeviceLoginDeps,
  ctx: UserCtx,
  userCode: string,
): Promise<DeviceLoginRequest> {
  const { name, platform, version, address, ...row } = await pendingLogin(deps, ctx, userCode)
  const times = { createdAt: Number(row.created_at), expiresAt: Number(row.expires_at) }
  return { name, platform, version, address, ...times }
}

/** @throws AppError DEVICE_CODE_INVALID, RATE_LIMITED, OLD_PASSWORD_WRONG, ACCOUNT_LOCKED */
export async function decideDeviceLogin(
  deps: DeviceLoginDeps,
  ctx: UserCtx,
  answer: { readonly userCode: string; readonly isAllowed: boolean; readonly password: string },
): Promise<void> {
  const { db } = deps.auth
  const row = await pendingLogin(deps, ctx, answer.userCode)
  const user = await usersStore.byId(db, ctx.principal.id)
  if (user === undefined) throw new AppError('TOKEN_INVALID')
  if (answer.isAllowed) await provePassword(deps.auth, ctx, { user, password: answer.password })
  const change = answer.isAllowed
    ? ({ state: 'granted', user_id: user.id, stamp: hashToken(user.password_hash) } as const)
    : ({ state: 'denied', user_id: user.id, stamp: '' } as const)
  if (!(await devicesStore.decide(db, row.id, change))) throw new AppError('DEVICE_CODE_INVALID')
}

async function pendingLogin({ auth, looks }: DeviceLoginDeps, ctx: UserCtx, userCode: string): Promise<DeviceLoginRow> {
  await looks.take(ctx.principal.id)
  const code = userCode.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const row = code.length === USER_CODE_LENGTH ? await devicesStore.loginByCode(auth.db, code) : undefined
  if (row?.state !== 'pending' || row.expires_at <= auth.clock.now()) throw new AppError('DEVICE_CODE_INVALID')
  return row
}
