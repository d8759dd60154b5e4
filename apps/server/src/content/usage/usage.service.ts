import { LIMITS } from '@godwit/contract'
import type { Storages } from '../../foundation/storages/index.ts'
import { membershipsStore } from '../../identity/memberships/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { storeOf } from '../access/index.ts'
import { measureStored, promisedBytes } from '../files/index.ts'
import { reservedBytes } from '../intake/index.ts'
import { correctUsage, recordedUsage, type RecordedUsage } from '../quotas/index.ts'
import { recycledBytes } from '../recycle/index.ts'

interface UsageDeps {
  readonly db: Db
  readonly storages: Storages
  readonly signal: AbortSignal
}

interface UsageDifference {
  readonly account: string
  readonly recorded: RecordedUsage
  /** What the files, the recycle bin and what is under way add up to. */
  readonly actual: RecordedUsage
  readonly isRepaired: boolean
}

/** An account that changes while it is measured is measured again, so often. */
const TRIES = 3

/**
 * Compares what is booked for each account with what is there, and corrects it on request. Safe beside a running server:
 * an account that changes meanwhile is never corrected.
 */
export async function reconcileUsage(
  deps: UsageDeps,
  { repair }: { readonly repair: boolean },
): Promise<UsageDifference[]> {
  const users = await deps.db.selectFrom('users').select(['id', 'account', 'home']).orderBy('id').execute()
  const differences: UsageDifference[] = []
  for (const user of users) {
    deps.signal.throwIfAborted()
    const difference = await differenceOf(deps, user, repair)
    if (difference !== undefined) differences.push(difference)
  }
  return differences
}

interface User {
  readonly id: string
  readonly account: string
  readonly home: string
}

async function differenceOf(deps: UsageDeps, user: User, repair: boolean): Promise<UsageDifference | undefined> {
  let found: UsageDifference | undefined
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const recorded = await recordedUsage(deps.db, user.id)
    const actual = await measure(deps, user)
    if (isSame(recorded, actual)) return undefined
    found = { account: user.account, recorded, actual, isRepaired: false }
    const isUnchanged = repair
      ? await correctUsage(deps.db, user.id, { from: recorded, to: actual })
      : isSame(recorded, await recordedUsage(deps.db, user.id))
    if (isUnchanged) return { ...found, isRepaired: repair }
  }
  return found
}

function isSame(a: RecordedUsage, b: RecordedUsage): boolean {
  return a.usedBytes === b.usedBytes && a.reservedBytes === b.reservedBytes
}

async function measure(deps: UsageDeps, user: User): Promise<RecordedUsage> {
  const { db } = deps
  const [visible, recycled, reserved, promised] = [
    await visibleBytes(deps, user),
    await recycledBytes(db, user.id),
    await reservedBytes(db, user.id),
    await promisedBytes(db, user.id),
  ]
  return { usedBytes: visible + recycled, reservedBytes: reserved + promised }
}

async function visibleBytes({ db, storages, signal }: UsageDeps, { id, home }: User): Promise<number> {
  const spaces = (await membershipsStore.ofUser(db, id)).map((row) => row.space_id)
  let bytes = 0
  for (const spaceId of new Set([LIMITS.defaultSpaceId, ...spaces])) {
    const store = await storeOf(storages, { userId: id, spaceId, groupId: LIMITS.defaultGroupId })
    const key = spaceId === LIMITS.defaultSpaceId ? home : `spaces/${spaceId}/${home}`
    if ((await store.stat(key)) === undefined) continue
    bytes += (await measureStored({ store, key }, signal)).bytes
  }
  return bytes
}
