import { USERS_PER_CALL, type ChosenUsers } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import type { ChangedThing } from '../../foundation/operation-log/index.ts'
import { administratorsStore } from '../../identity/administrators/index.ts'
import { inviteAgain, withdrawInvitation } from '../../identity/auth/index.ts'
import { takeLocksOver } from '../../identity/providers/index.ts'
import { usersSearch, usersStore, type RevokeReason, type UserRow } from '../../identity/users/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import type { ConsoleCall } from './console.types.ts'
import { requireStoppable } from './user-rights.policy.ts'
import { standingOf } from './users.present.ts'
import { editorOf, seenSinceOf, thingOf, type ConsoleUsersDeps } from './users.service.ts'

export interface BulkStep {
  readonly needsChange: (user: UserRow) => boolean
  /** Throws an AppError for an account that stays as it is, besides those that nobody may touch. */
  readonly allows?: (user: UserRow) => void | Promise<void>
  readonly change: (tx: Tx, users: readonly UserRow[]) => Promise<ChangedThing[]>
  /** Done to those that are so already as well. */
  readonly settle?: (tx: Tx, userIds: readonly string[]) => Promise<void>
  readonly revoke: RevokeReason | undefined
}

/** Does one step to many accounts in one transaction, and names those it may not touch. */
export async function onEachUser(
  deps: ConsoleUsersDeps,
  { ctx, record }: ConsoleCall,
  chosen: ChosenUsers,
  { needsChange, allows, change, settle, revoke }: BulkStep,
) {
  const users = await chosenUsers(deps, chosen)
  const administrators = await administratorsStore.among(
    deps.db,
    users.map(({ id }) => id),
  )
  const editor = editorOf(ctx)
  const failed: Refused[] = []
  const wanted: UserRow[] = []
  for (const user of users) {
    const refusal = await refusalOf(async () => {
      requireStoppable(editor, { id: user.id, standing: standingOf(user, administrators) })
      await allows?.(user)
    })
    if (refusal === undefined) wanted.push(user)
    else failed.push(refusedOf(ctx, user, refusal))
  }
  const changing = await inTransaction(deps.db, async (tx) => {
    const { left, refused } = await stillStoppable(tx, ctx, wanted)
    const changing = left.filter(needsChange)
    const things = await change(tx, changing)
    await settle?.(
      tx,
      left.map(({ id }) => id),
    )
    await record(tx, ...things)
    failed.push(...refused)
    return changing
  })
  if (revoke !== undefined)
    for (const { id } of changing) deps.users.bus.publish('user.revoked', { userId: id, reason: revoke })
  return { changed: changing.length, failed }
}

interface Refused {
  readonly id: string
  readonly account: string
  readonly code: number
  readonly message: string
}

function refusedOf(ctx: ConsoleCall['ctx'], { id, account }: UserRow, refusal: AppError): Refused {
  return { id, account, ...namedRefusal(ctx, refusal) }
}

/** Whom the caller may still stop: somebody may have become an administrator since. Who is gone is left out. */
async function stillStoppable(tx: Tx, ctx: ConsoleCall['ctx'], users: readonly UserRow[]) {
  const ids = users.map(({ id }) => id)
  const held = new Map((await usersStore.hold(tx, ids)).map((user) => [user.id, user]))
  const administrators = await administratorsStore.among(tx, ids)
  const [left, refused]: [UserRow[], Refused[]] = [[], []]
  for (const id of ids) {
    const user = held.get(id)
    if (user === undefined) continue
    const refusal = await refusalOf(async () =>
      requireStoppable(editorOf(ctx), { id, standing: standingOf(user, administrators) }),
    )
    if (refusal === undefined) left.push(user)
    else refused.push(refusedOf(ctx, user, refusal))
  }
  return { left, refused }
}

/** How a report names an error. */
export function namedRefusal({ locale }: ConsoleCall['ctx'], { wire: code, code: name, details }: AppError) {
  return { code, message: errorText(locale, name, details) }
}

async function chosenUsers(deps: ConsoleUsersDeps, chosen: ChosenUsers): Promise<UserRow[]> {
  if ('ids' in chosen) return usersSearch.byIds(deps.db, chosen.ids)
  const { filter, except } = chosen
  const left = new Set(except)
  const limit = USERS_PER_CALL + left.size
  const users = await usersSearch.all(deps.db, filter, { seenSince: seenSinceOf(deps), limit })
  return users.filter(({ id }) => !left.has(id)).slice(0, USERS_PER_CALL)
}

/** What keeps a step from being done, when that is nobody's fault it ends the call. */
export async function refusalOf(check: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await check()
    return undefined
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.status >= 500) throw error
    return error
  }
}

/** Locks or unlocks; a locked account keeps its files and loses its sessions, grants and sockets at once. */
export function setUsersLocked(deps: ConsoleUsersDeps, call: ConsoleCall, chosen: ChosenUsers, locked: boolean) {
  return onEachUser(deps, call, chosen, {
    needsChange: (user) => (user.locked === 1) !== locked,
    change: async (tx, users) => {
      await usersStore.updateMany(
        tx,
        users.map(({ id }) => id),
        { locked: locked ? 1 : 0 },
      )
      return users.map((user) => thingOf(user, { locked: !locked }, { locked, revision: user.revision + 1 }))
    },
    settle: takeLocksOver,
    revoke: locked ? 'locked' : undefined,
  })
}

/** Mails the invitation once more. Whoever waits for none, or has no address, is named. */
export async function inviteUsers(deps: ConsoleUsersDeps, call: ConsoleCall, chosen: ChosenUsers) {
  await deps.auth.mailer.requireConfigured()
  return onInvited(deps, call, chosen, (tx, user) => inviteAgain(deps.auth, tx, user, call.ctx.locale))
}

export function withdrawInvitations(deps: ConsoleUsersDeps, call: ConsoleCall, chosen: ChosenUsers) {
  return onInvited(deps, call, chosen, withdrawInvitation)
}

/** Each by itself: one that is refused keeps nobody else. */
async function onInvited(
  deps: ConsoleUsersDeps,
  { ctx, record }: ConsoleCall,
  chosen: ChosenUsers,
  change: (tx: Tx, user: UserRow) => Promise<void>,
) {
  const users = await chosenUsers(deps, chosen)
  const failed: Refused[] = []
  for (const user of users) {
    const refusal = await refusalOf(() =>
      inTransaction(deps.db, async (tx) => {
        const [held] = await usersStore.hold(tx, [user.id])
        if (held === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
        const standing = standingOf(held, await administratorsStore.among(tx, [user.id]))
        requireStoppable(editorOf(ctx), { id: user.id, standing })
        await change(tx, held)
        await record(tx, thingOf(held, undefined, undefined))
      }),
    )
    if (refusal !== undefined) failed.push(refusedOf(ctx, user, refusal))
  }
  return { changed: users.length - failed.length, failed }
}
