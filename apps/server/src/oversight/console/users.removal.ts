import type { ErrorName, RemovedUser, RemovedUsers } from '@godwit/contract'
import { errorText, type Locale } from '@godwit/i18n'
import { personalHome } from '../../content/access/index.ts'
import { originOf } from '../../content/file-events/index.ts'
import {
  removalsStore,
  removeAccount,
  requireRoom,
  settleRemoval,
  type Fate,
  type FilesFate,
  type HandedOver,
  type RemovedAccountRow,
} from '../../content/removals/index.ts'
import type { Quotas } from '../../content/quotas/index.ts'
import type { ChangedThing } from '../../foundation/operation-log/index.ts'
import { storagesStore } from '../../foundation/storages/index.ts'
import { mayIn } from '../../identity/administrators/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { foldCase, usersStore, type UserRow } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError, type ErrorDetails } from '../../kernel/errors.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import type { ConsoleCall } from './console.types.ts'
import { namedRefusal, onEachUser, refusalOf } from './users.bulk.ts'
import { thingOf, type ConsoleUsersDeps } from './users.service.ts'

export interface RemovalUsersDeps extends Omit<ConsoleUsersDeps, 'quotas'> {
  readonly queue: Pick<Queue, 'add'>
  readonly quotas: Quotas
}

interface WantedFate {
  readonly files: FilesFate
  readonly to?: string | undefined
}

/**
 * Removes accounts. Whose files are more than the receiver has room for stays, and is named.
 * @throws AppError ACCOUNT_NOT_FOUND for the receiver; PERMISSION_DENIED without `folders.content`, which handing over amounts to
 */
export async function removeUsers(deps: RemovalUsersDeps, call: ConsoleCall, wanted: RemovedUsers) {
  const fate = await fateOf(deps, call.ctx, wanted)
  const { files, to } = fate
  const room = roomOf(deps, to)
  return onEachUser(deps, call, 'ids' in wanted ? { ids: wanted.ids } : wanted, {
    needsChange: () => true,
    async allows(user) {
      if (user.id === to?.id) throw new AppError('PARAMETER_INVALID', { field: 'to' })
      await room(user.id)
    },
    async change(tx, users) {
      const things: ChangedThing[] = []
      for (const user of users) {
        await removeAccount({ clock: deps.users.clock, queue: deps.queue }, tx, user, fate)
        const before = { account: user.account, email: user.email, home: user.home }
        things.push({ ...thingOf(user, before, undefined), after: afterOf(files, to) })
      }
      return things
    },
    revoke: 'removed',
  })
}

/** Says anew what becomes of the files of accounts that are gone. @throws as {@link removeUsers} */
export async function settleRemoved(
  deps: RemovalUsersDeps,
  { ctx, record }: ConsoleCall,
  { ids, ...wanted }: WantedFate & { readonly ids: readonly string[] },
) {
  const fate = await fateOf(deps, ctx, wanted)
  const room = roomOf(deps, fate.to)
  const failed: Array<{ id: string; account: string; code: number; message: string }> = []
  let changed = 0
  for (const id of new Set(ids)) {
    const row = await removalsStore.byId(deps.db, id)
    const refusal = await refusalOf(async () => {
      if (row === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
      await room(id)
      await inTransaction(deps.db, async (tx) => {
        await settleRemoval(deps, tx, row, fate)
        const { account: name, files, state } = row
        await record(tx, { kind: 'user', id, name, before: { files, state }, after: afterOf(fate.files, fate.to) })
      })
    })
    if (refusal === undefined) changed++
    else failed.push({ id, account: row?.account ?? '', ...namedRefusal(ctx, refusal) })
  }
  return { changed, failed }
}

function afterOf(files: FilesFate, to: UserRow | undefined): object {
  return { files, ...(to === undefined ? {} : { to: to.account }) }
}

async function fateOf({ db }: RemovalUsersDeps, ctx: UserCtx, { files, to }: WantedFate): Promise<Fate> {
  const { id } = ctx.principal
  const { account, standing } = accountOf(ctx.principal)
  const fate = { files, origin: originOf(ctx), by: { id, account } }
  if (files !== 'hand-over') return fate
  // Whoever gets somebody's files reads them.
  if (!mayIn(standing, 'folders.content', {})) throw new AppError('PERMISSION_DENIED', { reason: 'folders.content' })
  const receiver = to === undefined || to === '' ? undefined : await usersStore.byAccountOrEmail(db, foldCase(to))
  if (receiver === undefined) throw new AppError('ACCOUNT_NOT_FOUND', { field: 'to' })
  return { ...fate, to: receiver }
}

/** Adds up what one account is to receive. @returns a check that throws QUOTA_EXCEEDED */
function roomOf(deps: RemovalUsersDeps, to: UserRow | undefined): (userId: string) => Promise<void> {
  let promised = 0
  return async (fromId) => {
    if (to !== undefined) promised += await requireRoom(deps, to, { fromId, promised })
  }
}

/** The last removed first. */
export async function listRemoved(
  { db }: Pick<RemovalUsersDeps, 'db'>,
  { locale }: UserCtx,
  { text = '', page, size }: { readonly text?: string | undefined; readonly page: number; readonly size: number },
) {
  const { rows, total } = await removalsStore.page(db, { text, page, size })
  const storages = new Map((await storagesStore.all(db)).map(({ id, name }) => [id, name]))
  const shown = await Promise.all(
    rows.map(async (row): Promise<RemovedUser> => {
      const places = (await storagesStore.placesOf(db, row.id)).map(({ storage_id: id, space_id: spaceId }) => {
        return { storage: storages.get(id) ?? String(id), folder: personalHome(row.home, spaceId) }
      })
      return { ...presentRow(row, locale), places }
    }),
  )
  return { rows: shown, total, page, size }
}

function presentRow(row: RemovedAccountRow, locale: Locale): Omit<RemovedUser, 'places'> {
  const { id, account, name, removed_at: removedAt, removed_by: removedBy, files, state, to_account: to } = row
  const handedOver = Object.values(JSON.parse(row.folders) as Record<string, HandedOver>)
  return {
    ...{ id, account, name, removedAt: Number(removedAt), removedBy, files, state, to },
    folders: handedOver.filter(({ isDone }) => isDone).map(({ path }) => path),
    bytes: Number(row.bytes),
    error: row.error === '' ? '' : reasonOf(row.error, locale),
  }
}

function reasonOf(error: string, locale: Locale): string {
  const { code, details } = JSON.parse(error) as { readonly code: ErrorName; readonly details?: ErrorDetails }
  return errorText(locale, code, details)
}
