import { LIMITS } from '@godwit/contract'
import { isEmptyFolder, type Entry, type ObjectStore } from '@godwit/storage'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { membershipsStore } from '../../identity/memberships/index.ts'
import { usersStore, type UserRow } from '../../identity/users/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { personalHome, storeOf } from '../access/index.ts'
import { measureStored, numbered, type Step } from '../files/index.ts'
import type { HomePlace, RemovalJobDeps, Settling } from './removals.deps.ts'
import type { HandedOver } from './removals.schema.ts'
import { removalsStore } from './removals.store.ts'
import { stageHome } from './stage.ts'

/**
 * Makes a home a folder in the home of another account. On one storage that is one step, as a move is; from another one it is
 * copied and verified first. Quota, hashes, versions and the event are booked with the step, once.
 * @throws AppError ACCOUNT_NOT_FOUND, QUOTA_EXCEEDED, FILE_CORRUPT, FILE_BUSY, and what a storage refuses
 */
export async function handOverHome(
  deps: RemovalJobDeps,
  settling: Settling,
  home: HomePlace & { readonly at: number },
): Promise<void> {
  const { row, signal, taken } = settling
  const planned = (await foldersOf(deps, row.id))[home.spaceId]
  if (planned?.isDone === true) return
  if (planned !== undefined && taken.has(home.at)) {
    await note(deps, settling, home, { ...planned, isDone: true })
    return
  }
  if (!(await hasEntries(home))) return
  const to = await requireReceiver(deps, row.to_id)
  const { bytes } = await measureStored(home, signal)
  await requireFree(deps, to, bytes)
  const target = await targetOf(deps, to, home.spaceId)
  const isDirect = target.store === home.store && target.spaceId === home.spaceId
  const staging = { accountId: row.id, jobId: settling.jobId, target, signal }
  const source = isDirect ? home.key : await stageHome(deps, home, staging)
  await withAppErrors(() => target.store.ensureFolder(target.key))
  const { locks } = deps.files
  const plan = await locks.run(target, async () => {
    const name = await freeName(deps, target, row.account)
    await note(deps, settling, home, { account: to.account, path: `/${name}`, isDone: false })
    const taking = { home, target, source, name, bytes }
    if (!target.store.capabilities.atomicMove) return { ...taking, claim: await locks.claim(target, name) }
    await take(deps, settling, taking)
    return taking
  })
  if ('claim' in plan) {
    // A bucket copies file by file: the folder is free meanwhile, and others see the name as taken.
    try {
      await take(deps, settling, plan)
    } finally {
      await plan.claim.release()
    }
  }
  await note(deps, settling, home, { account: to.account, path: `/${plan.name}`, isDone: true })
}

/** The space where it was, when the receiver is a member of it; else the first one of the receiver. */
async function targetOf({ db, storages }: RemovalJobDeps, to: UserRow, wanted: number): Promise<HomePlace> {
  const spaces = (await membershipsStore.ofUser(db, to.id)).map(({ space_id: id }) => id)
  const spaceId = spaces.find((id) => id === wanted) ?? spaces[0]
  if (spaceId === undefined) throw new AppError('NO_SPACE')
  const store = await storeOf(storages, { userId: to.id, spaceId, groupId: LIMITS.defaultGroupId })
  return { spaceId, store, key: personalHome(to.home, spaceId) }
}

async function requireReceiver({ db }: Pick<RemovalJobDeps, 'db'>, id: string): Promise<UserRow> {
  const user = await usersStore.byId(db, id)
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  return user
}

/** Copying what has no room in the end would take long for nothing; the step itself reserves. */
async function requireFree({ quotas }: RemovalJobDeps, { id }: UserRow, wantedBytes: number): Promise<void> {
  const { usedBytes, quotaBytes } = await quotas.usageOf(id)
  if (quotaBytes > 0 && usedBytes + wantedBytes > quotaBytes)
    throw new AppError('QUOTA_EXCEEDED', { quotaBytes, usedBytes, reservedBytes: 0, wantedBytes })
}

async function hasEntries({ store, key }: HomePlace): Promise<boolean> {
  return (await store.stat(key)) !== undefined && !(await isEmptyFolder(store, key))
}

/** The name of the account, or the next free one after it. */
async function freeName({ files }: RemovalJobDeps, home: HomePlace, account: string): Promise<string> {
  const claimed = await files.locks.claimedIn(home)
  for (let number = 0; ; number++) {
    const name = number === 0 ? account : numbered(account, number)
    const isTaken =
      claimed.like(name) !== undefined ||
      (await home.store.stat(`${home.key}/${name}`)) !== undefined ||
      (await files.indexes.clashOf(home, name)) !== undefined
    if (!isTaken) return name
  }
}

interface Taking {
  readonly home: HomePlace & { readonly at: number }
  readonly target: HomePlace
  /** Key of the home itself, or of its copy on the storage of the target. */
  readonly source: string
  readonly name: string
  readonly bytes: number
}

async function take(deps: RemovalJobDeps, settling: Settling, taking: Taking): Promise<void> {
  const { row, jobId, signal } = settling
  const { home, target, source, bytes } = taking
  const { store } = target
  const entry = await requireThere(store, source)
  const step = stepOf(settling, taking, entry)
  const reservation = {
    bytes,
    async reserve(tx: Parameters<typeof deps.quotas.reserveBytes>[0], wanted: number) {
      // Whoever is removed right now receives nothing any more.
      if ((await usersStore.byId(tx, row.to_id)) === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
      await deps.quotas.reserveBytes(tx, row.to_id, wanted)
    },
  }
  await deps.files.steps.take({ step, store, job: { id: jobId, at: home.at }, reservation }, () =>
    withAppErrors(() => store.move(source, step.to, { conflict: 'fail', signal })),
  )
}

function stepOf({ row, origin }: Settling, { target, source, name, bytes }: Taking, { etag }: Entry): Step {
  return {
    ...{ origin, userId: row.to_id, spaceId: target.spaceId, groupId: LIMITS.defaultGroupId },
    ...{ kind: 'move', entry: 'folder', from: source, to: `${target.key}/${name}`, fromUserId: row.id },
    ...{ fromPath: '/', path: `/${name}`, etag, replaced: undefined, bytes },
    ...{ recycleId: '', isWholeItem: false, held: [target.key] },
  }
}

async function requireThere(store: ObjectStore, key: string): Promise<Entry> {
  const entry = await store.stat(key)
  if (entry === undefined) throw new AppError('PATH_NOT_FOUND')
  return entry
}

async function foldersOf({ db }: Pick<RemovalJobDeps, 'db'>, id: string): Promise<Record<string, HandedOver>> {
  return JSON.parse((await removalsStore.byId(db, id))?.folders ?? '{}') as Record<string, HandedOver>
}

async function note(
  deps: RemovalJobDeps,
  { row, jobId }: Settling,
  { spaceId }: HomePlace,
  folder: HandedOver,
): Promise<void> {
  const folders = { ...(await foldersOf(deps, row.id)), [spaceId]: folder }
  await removalsStore.change(deps.db, { id: row.id, jobId }, { folders: JSON.stringify(folders) })
}
