import { adminDeviceRoutes, deviceLoginRoutes } from '@godwit/contract'
import { loggedEndpoint, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import type { Clock } from '@godwit/base'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { administratorsStore } from '../administrators/index.ts'
import { removeApiToken } from '../api-tokens/index.ts'
import { accountOf } from '../principals/index.ts'
import { foldCase, usersStore } from '../users/index.ts'
import {
  beginDeviceLogin,
  decideDeviceLogin,
  lookAtDeviceLogin,
  redeemDeviceLogin,
  type DeviceLoginDeps,
} from './device-logins.service.ts'
import { devicesStore } from './devices.store.ts'

export function deviceEndpoints(deps: DeviceLoginDeps): Endpoint[] {
  const { db, clock } = deps.auth
  return [
    endpoint(deviceLoginRoutes.begin, (ctx, { body }) => beginDeviceLogin(deps, ctx, body)),
    endpoint(deviceLoginRoutes.token, (_ctx, { body }) => redeemDeviceLogin(deps, body.deviceCode)),
    endpoint(deviceLoginRoutes.look, async (ctx, { body }) => ({
      request: await lookAtDeviceLogin(deps, ctx, body.userCode),
    })),
    endpoint(deviceLoginRoutes.decide, async (ctx, { body }) => {
      await decideDeviceLogin(deps, ctx, body)
      return {}
    }),
    endpoint(deviceLoginRoutes.register, async ({ principal, address }, { body }) => {
      // A session in a browser is no device of the client.
      if (principal.kind === 'api-token') {
        const seen = { address: address.slice(0, 64), last_seen_at: clock.now() }
        await devicesStore.put(db, { api_token_id: principal.apiTokenId, ...body, ...seen })
      }
      return {}
    }),
    endpoint(deviceLoginRoutes.signOut, async ({ principal }) => {
      if (principal.kind !== 'api-token') return { isSignedOut: false }
      await removeApiToken({ db }, principal.id, principal.apiTokenId)
      return { isSignedOut: true }
    }),
  ]
}

/** What the administrator's console asks for. */
interface DevicesQuery {
  readonly page: number
  readonly size: number
  readonly text?: string | undefined
}

/** A page of the devices of everybody; with the audit scope `own` of the caller's. */
export async function listDevices(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  ctx: UserCtx,
  { page, size, text = '' }: DevicesQuery,
) {
  const filter = { text: foldCase(text), onlyUserId: scopeOf(ctx) }
  return devicesStore.page(db, filter, { page, size, now: clock.now() })
}

/** What administrators do with the devices of everybody. Their list is answered by the transfers, which it names. */
export function consoleDeviceEndpoints({ auth }: DeviceLoginDeps, log: OperationLogDeps): Endpoint[] {
  const { db, users } = auth
  return [
    loggedEndpoint(log, adminDeviceRoutes.signOut, async (ctx, { body }, record) => {
      const devices = await devicesStore.byIds(db, body.deviceIds, scopeOf(ctx))
      if (devices.length === 0) throw new AppError('SESSION_NOT_FOUND')
      await requireBelow(db, ctx, [...new Set(devices.map(({ userId }) => userId))])
      await inTransaction(db, (tx) =>
        record(
          tx,
          ...devices.map(({ id, account, name, address }) => ({
            ...{ kind: 'client', id, name: `${account}: ${name}` },
            before: { address },
          })),
        ),
      )
      for (const { id, userId } of devices) {
        await removeApiToken({ db }, userId, id)
        users.bus.publish('user.changed', { userId })
      }
      return { ended: devices.length }
    }),
  ]
}

/** With the audit scope `own` an administrator sees their own devices alone. */
function scopeOf({ principal }: UserCtx): string | undefined {
  return accountOf(principal).standing?.auditScope === 'all' ? undefined : principal.id
}

/** @throws AppError PERMISSION_DENIED for the device of another administrator, unless the super administrator asks */
async function requireBelow(db: Db, { principal }: UserCtx, userIds: readonly string[]): Promise<void> {
  if (accountOf(principal).standing?.kind === 'super') return
  const others = userIds.filter((id) => id !== principal.id)
  const administrators = await administratorsStore.among(db, others)
  for (const id of others) {
    const user = await usersStore.byId(db, id)
    if (administrators.has(id) || user?.is_super === 1) throw new AppError('PERMISSION_DENIED')
  }
}
