import { LIMITS } from '@godwit/contract'
import type { Storages } from '../../foundation/storages/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { mountsStore } from '../../identity/mounts/index.ts'
import { membershipsStore } from '../../identity/memberships/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { groupOfMount, storeOf } from '../access/index.ts'
import { measureStored, promisedBytes } from '../files/index.ts'
import { reservedBytes } from '../intake/index.ts'
import { groupHome } from '../groups/index.ts'
import { bucketOf, correctUsage, recordedUsage, versionBytes, type RecordedUsage } from '../quotas/index.ts'
import { recycledBytes } from '../recycle/index.ts'

interface UsageDeps {
  readonly db: Db
  readonly storages: Storages
  readonly signal: AbortSignal
}

export interface UsageDifference {
  /** Name of the account, or of the group. */
  readonly account: string
  readonly recorded: RecordedUsage
  /** What the files, their versions, the recycle bin and what is under way add up to. */
  readonly actual: RecordedUsage
  readonly isRepaired: boolean
}

/** An account or a group with where its files are. */
interface Holder {
  /** '' for a group. */
  readonly userId: string
  /** 0 for the personal files of an account. */
  readonly groupId: number
  readonly name: string
  readonly homes: ReadonlyArray<{ readonly spaceId: number; readonly groupId: number; readonly key: string }>
}

/** What changes while it is measured is measured again, so often. */
const TRIES = 3

/**
 * Compares what is booked for each account and group with what is there, and corrects it on request. Safe beside a running
 * server: what changes meanwhile is never corrected.
 */
export async function reconcileUsage(
  deps: UsageDeps,
  { repair }: { readonly repair: boolean },
): Promise<UsageDifference[]> {
  const differences: UsageDifference[] = []
  for (const holder of [...(await accounts(deps)), ...(await groups(deps))]) {
    deps.signal.throwIfAborted()
    const difference = await differenceOf(deps, holder, repair)
    if (difference !== undefined) differences.push(difference)
  }
  return differences
}

async function accounts({ db }: UsageDeps): Promise<Holder[]> {
  const users = await db.selectFrom('users').select(['id', 'account', 'home']).orderBy('id').execute()
  return Promise.all(
    users.map(async ({ id, account, home }) => {
      const spaceIds = (await membershipsStore.ofUser(db, id)).map((row) => row.space_id)
      const homes = [...new Set([LIMITS.defaultSpaceId, ...spaceIds])].map((spaceId) => {
        return {
          spaceId,
          groupId: LIMITS.defaultGroupId,
          key: spaceId === LIMITS.defaultSpaceId ? home : `spaces/${spaceId}/${home}`,
        }
      })
      const mounts = (await mountsStore.ofUser(db, id)).map(({ id: mountId, space_id: spaceId, path: key }) => {
        return { spaceId, groupId: groupOfMount(mountId), key }
      })
      return { userId: id, groupId: LIMITS.defaultGroupId, name: account, homes: [...homes, ...mounts] }
    }),
  )
}

async function groups({ db }: UsageDeps): Promise<Holder[]> {
  return (await groupsStore.all(db)).map(({ id: groupId, space_id: spaceId, name }) => {
    return { userId: '', groupId, name, homes: [{ spaceId, groupId, key: groupHome({ spaceId, groupId }) }] }
  })
}

async function differenceOf(deps: UsageDeps, holder: Holder, repair: boolean): Promise<UsageDifference | undefined> {
  let found: UsageDifference | undefined
  const bucket = bucketOf(holder)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const recorded = await recordedUsage(deps.db, bucket)
    const actual = await measure(deps, holder)
    if (isSame(recorded, actual)) return undefined
    found = { account: holder.name, recorded, actual, isRepaired: false }
    const isUnchanged = repair
      ? await correctUsage(deps.db, bucket, { from: recorded, to: actual })
      : isSame(recorded, await recordedUsage(deps.db, bucket))
    if (isUnchanged) return { ...found, isRepaired: repair }
  }
  return found
}

function isSame(a: RecordedUsage, b: RecordedUsage): boolean {
  return a.usedBytes === b.usedBytes && a.reservedBytes === b.reservedBytes
}

async function measure(deps: UsageDeps, holder: Holder): Promise<RecordedUsage> {
  const { db } = deps
  const [visible, recycled, versions, reserved, promised] = [
    await visibleBytes(deps, holder),
    await recycledBytes(db, holder),
    await versionBytes(db, holder),
    await reservedBytes(db, holder),
    await promisedBytes(db, holder),
  ]
  return { usedBytes: visible + recycled + versions, reservedBytes: reserved + promised }
}

async function visibleBytes({ storages, signal }: UsageDeps, { userId, homes }: Holder): Promise<number> {
  let bytes = 0
  for (const { spaceId, groupId, key } of homes) {
    const store = await storeOf(storages, { userId, spaceId, groupId })
    if ((await store.stat(key)) === undefined) continue
    bytes += (await measureStored({ store, key }, signal)).bytes
  }
  return bytes
}
