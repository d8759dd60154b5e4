import { setTimeout as pause } from 'node:timers/promises'
import { adminMountRoutes, type AdminMount } from '@godwit/contract'
import {
  addMount,
  listMounts,
  removeMount,
  renameMount,
  type MountInfo,
  type MountsDeps,
} from '../../content/mounts/index.ts'
import { originOf } from '../../content/file-events/index.ts'
import { loggedEndpoint, type ChangedThing, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { storagesStore } from '../../foundation/storages/index.ts'
import { administratorsStore, mayIn } from '../../identity/administrators/index.ts'
import { SESSION_CACHE_MS } from '../../identity/auth/index.ts'
import { mountsStore, type MountRow } from '../../identity/mounts/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { usersStore, type UserRow } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { requireEditable } from './user-rights.policy.ts'
import { standingOf } from './users.present.ts'
import { editorOf } from './users.service.ts'

export interface ConsoleMountsDeps extends Omit<MountsDeps, 'settled'> {
  readonly bus: Pick<Bus, 'publish'>
}

/** Virtual directories of an account. */
export function mountEndpoints(given: ConsoleMountsDeps, log: OperationLogDeps): Endpoint[] {
  const { db, bus } = given
  const deps: MountsDeps = {
    ...given,
    // Other nodes, and whatever holds the account, have read it anew by then.
    async settled(userId) {
      bus.publish('user.changed', { userId })
      await pause(SESSION_CACHE_MS * 1.2)
    },
  }
  return [
    endpoint(adminMountRoutes.list, async (ctx, { params }) => {
      const user = await requireUser(db, params.userId)
      const storages = mayPlace(ctx) ? await storagesStore.all(db) : []
      return {
        mounts: (await listMounts(db, user.id)).map(present),
        storages: storages.map(({ id, name }) => ({ id, name })),
      }
    }),
    loggedEndpoint(log, adminMountRoutes.add, async (ctx, { params, body }, record) => {
      const user = await requireChangeable(db, ctx, params.userId)
      const { id } = await addMount(deps, user, body, (tx, row) => record(tx, thingOf(user, row, undefined, body)))
      return { mount: await presentOne(db, user, id) }
    }),
    loggedEndpoint(log, adminMountRoutes.rename, async (ctx, { params, body }, record) => {
      const user = await requireChangeable(db, ctx, params.userId)
      const row = await requireMountOf(db, user, params.mountId)
      await renameMount(deps, { row, alias: body.alias, origin: originOf(ctx) }, (tx, { alias }) =>
        record(tx, thingOf(user, row, { alias: row.alias }, { alias })),
      )
      return { mount: await presentOne(db, user, row.id) }
    }),
    loggedEndpoint(log, adminMountRoutes.remove, async (ctx, { params }, record) => {
      const user = await requireChangeable(db, ctx, params.userId)
      const row = await requireMountOf(db, user, params.mountId)
      const { alias, path, storage_id: storageId } = row
      await removeMount(deps, { row, origin: originOf(ctx) }, (tx) =>
        record(tx, thingOf(user, row, { alias, path, storageId }, undefined)),
      )
      return {}
    }),
  ]
}

function mayPlace({ principal }: UserCtx): boolean {
  return mayIn(accountOf(principal).standing, 'storages.edit', {})
}

/** @throws AppError ACCOUNT_NOT_FOUND, PERMISSION_DENIED */
async function requireChangeable(db: Db, ctx: UserCtx, userId: string): Promise<UserRow> {
  const user = await requireUser(db, userId)
  if (!mayPlace(ctx)) throw new AppError('PERMISSION_DENIED', { right: 'storages.edit' })
  const standing = standingOf(user, await administratorsStore.among(db, [user.id]))
  requireEditable(editorOf(ctx), { id: user.id, standing })
  return user
}

async function requireUser(db: Db, id: string): Promise<UserRow> {
  const user = await usersStore.byId(db, id)
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}

/** @throws AppError PATH_NOT_FOUND */
async function requireMountOf(db: Db, user: UserRow, id: number): Promise<MountRow> {
  const row = (await mountsStore.ofUser(db, user.id)).find((mount) => mount.id === id)
  if (row === undefined) throw new AppError('PATH_NOT_FOUND')
  return row
}

async function presentOne(db: Db, user: UserRow, id: number): Promise<AdminMount> {
  const info = (await listMounts(db, user.id)).find((mount) => mount.id === id)
  if (info === undefined) throw new AppError('PATH_NOT_FOUND')
  return present(info)
}

function present({ userId: _user, account: _account, ...mount }: MountInfo): AdminMount {
  return mount
}

function thingOf(
  user: UserRow,
  { id, alias }: MountRow,
  before: object | undefined,
  after: object | undefined,
): ChangedThing {
  return { kind: 'mount', id, name: `${user.account}: ${alias}`, before, after }
}
