import { KIND_FILE, KIND_FOLDER, type ObjectStore } from '@godwit/storage'
import { appendOperations } from '../../foundation/operation-log/index.ts'
import { storagesStore, withAppErrors, type Storages } from '../../foundation/storages/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { mountsStore } from '../../identity/mounts/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Clock } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { mountOfGroup, storeOf, unreachable } from '../access/index.ts'
import { hashOfPath } from '../file-events/index.ts'
import type { RecycleFile } from '../recycle/index.ts'
import { rootKeyOf } from '../search/index.ts'
import { isDue, type CleaningBasis, type CleaningRule } from './cleaning.policy.ts'
import type { CleaningRow } from './cleaning.schema.ts'
import { cleaningStore } from './cleaning.store.ts'

export interface CleaningDeps {
  readonly db: Db
  readonly clock: Clock
  readonly storages: Storages
}

export interface CleaningWork extends CleaningDeps {
  readonly log: Pick<Log, 'warn'>
  readonly recycle: RecycleFile
}

export interface Cleaned {
  readonly files: number
  readonly bytes: number
}

/** Says from when on files of a storage are too old; nothing of it is done before the next round. @throws AppError STORAGE_NOT_FOUND */
export async function setCleaning(
  { db, clock }: Pick<CleaningDeps, 'db' | 'clock'>,
  storageId: number,
  rule: { readonly basis: CleaningBasis; readonly days: number } | undefined,
): Promise<void> {
  if ((await storagesStore.byId(db, storageId)) === undefined) throw new AppError('STORAGE_NOT_FOUND')
  await inTransaction(db, async (tx) => {
    if (rule === undefined) return cleaningStore.remove(tx, storageId)
    const known = await cleaningStore.of(tx, storageId)
    const since = known?.basis === rule.basis ? Number(known.since) : clock.now()
    await cleaningStore.put(tx, { storage_id: storageId, ...rule, since, ran_at: null, files: 0, bytes: 0 })
  })
}

/** What a round would move now. */
export function countDue(
  deps: CleaningDeps,
  storageId: number,
  rule: CleaningRule,
  signal: AbortSignal,
): Promise<Cleaned> {
  return eachDue(deps, { storageId, rule, signal }, () => Promise.resolve(true))
}

const DAY_MS = 24 * 3_600_000
/** Longer than any age. */
const ACCESSES_KEPT_MS = 400 * DAY_MS

/** Moves what is too old on every storage into the recycle bin, once a day each. */
export async function cleanStorages(work: CleaningWork, signal: AbortSignal): Promise<void> {
  const { db, clock } = work
  await cleaningStore.removeOlder(db, clock.now() - ACCESSES_KEPT_MS)
  for (const row of await cleaningStore.all(db)) {
    if (row.ran_at !== null && clock.now() - Number(row.ran_at) < DAY_MS) continue
    await cleanStorage(work, row, signal)
  }
}

async function cleanStorage(work: CleaningWork, row: CleaningRow, signal: AbortSignal): Promise<void> {
  const { db, clock, log, recycle } = work
  const rule = ruleOf(row)
  const cleaned = await eachDue(work, { storageId: row.storage_id, rule, signal }, async ({ place, file }) => {
    try {
      await recycle({ ...place, ...file })
      return true
    } catch (thrown) {
      if (toAppError(thrown).status >= 500)
        log.warn({ err: thrown, storageId: row.storage_id }, 'a file was not cleaned')
      // In use, changed meanwhile, or gone: the next round looks again.
      return false
    }
  })
  const name = (await storagesStore.byId(db, row.storage_id))?.name ?? ''
  await inTransaction(db, async (tx) => {
    await cleaningStore.ran(tx, row.storage_id, { ran_at: clock.now(), ...cleaned })
    if (cleaned.files === 0) return
    const things = [
      { kind: 'storage', id: row.storage_id, name, after: { ...cleaned, basis: rule.basis, days: rule.days } },
    ]
    const actor = { id: '', account: '', door: 'schedule', address: '', userAgent: '', requestId: '' }
    await appendOperations({ clock }, tx, { actor, operation: 'storage.clean', things })
  })
}

export function ruleOf({ basis, days, since }: CleaningRow): CleaningRule {
  return { basis: basis === 'access' ? 'access' : 'modified', days, since: Number(since) }
}

/** A place on the storage, and whose bin takes what goes there. */
interface Place {
  readonly ownerId: string
  readonly spaceId: number
  readonly groupId: number
  readonly store: ObjectStore
}

interface DueFile {
  readonly key: string
  /** As its owner sees it. */
  readonly path: string
  readonly size: number
  readonly etag: string
}

interface Round {
  readonly storageId: number
  readonly rule: CleaningRule
  readonly signal: AbortSignal
}

const PLACES_MAX = 1_000_000

async function eachDue(
  deps: CleaningDeps,
  round: Round,
  take: (due: { readonly place: Place; readonly file: DueFile }) => Promise<boolean>,
): Promise<Cleaned> {
  let files = 0
  let bytes = 0
  for (const row of await storagesStore.placesOn(deps.db, round.storageId, PLACES_MAX)) {
    const root = await rootOf(deps, { ownerId: row.owner_id, spaceId: row.space_id, groupId: row.group_id })
    if (root === undefined) continue
    for await (const file of dueIn(deps, root, round)) {
      if (!(await take({ place: root.place, file }))) continue
      files++
      bytes += file.size
    }
  }
  return { files, bytes }
}

interface Root {
  readonly place: Place
  /** Of its rows: '' for a group and for a virtual directory. */
  readonly treeOwner: string
  readonly key: string
  /** What its paths begin with. */
  readonly above: string
}

/** @returns undefined for a place that nobody has any more, or a group without members */
async function rootOf({ db, storages }: CleaningDeps, ids: Omit<Place, 'store'>): Promise<Root | undefined> {
  const key = await rootKeyOf(db, ids)
  if (key === undefined) return undefined
  const mount = ids.groupId < 0 ? await mountsStore.byId(db, mountOfGroup(ids.groupId)) : undefined
  const ownerId = mount?.user_id ?? (ids.groupId > 0 ? await keeperOf(db, ids.groupId) : ids.ownerId)
  if (ownerId === undefined || (await usersStore.byId(db, ownerId)) === undefined) return undefined
  const store = await storeOf(storages, { userId: ids.ownerId, ...ids })
  const above = mount === undefined ? '' : `/${mount.alias}`
  return { place: { ...ids, ownerId, store }, treeOwner: ids.ownerId, key, above }
}

/** Whose bin has what goes out of a group: that of its first administrator, else of its first member. */
async function keeperOf(db: Db, groupId: number): Promise<string | undefined> {
  const members = await groupsStore.rightsOf(db, groupId)
  return (members.find((row) => row.is_admin === 1) ?? members[0])?.user_id
}

interface Folder {
  readonly key: string
  readonly path: string
  readonly openedMs: number
}

async function* dueIn({ db, clock }: CleaningDeps, root: Root, { rule, signal }: Round): AsyncGenerator<DueFile> {
  const { store, spaceId, groupId } = root.place
  const tree = { owner_id: root.treeOwner, space_id: spaceId, group_id: groupId }
  const openedAt = async (paths: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    if (rule.basis === 'modified' || paths.length === 0) return new Map()
    const times = await cleaningStore.times(db, tree, paths.map(hashOfPath))
    return new Map(paths.flatMap((path) => [[path, times.get(hashOfPath(path)) ?? 0]]))
  }
  const top = root.above === '' ? '/' : root.above
  const waiting: Folder[] = [{ key: root.key, path: root.above, openedMs: (await openedAt([top])).get(top) ?? 0 }]
  if ((await store.stat(root.key)) === undefined) return
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of store.list(folder.key, { signal })) {
      const names = page.names.filter((name) => unreachable(name) === undefined)
      const found = await withAppErrors(() => store.statMany(folder.key, names, signal))
      const opened = await openedAt(names.map((name) => `${folder.path}/${name.normalize('NFC')}`))
      for (const [at, name] of names.entries()) {
        const path = `${folder.path}/${name.normalize('NFC')}`
        const openedMs = Math.max(folder.openedMs, opened.get(path) ?? 0)
        const key = `${folder.key}/${name}`
        if (found.kinds[at] === KIND_FOLDER) waiting.push({ key, path, openedMs })
        if (found.kinds[at] !== KIND_FILE) continue
        if (!isDue(rule, { modifiedMs: found.modifiedMs[at] ?? Infinity, openedMs }, clock.now())) continue
        const entry = await store.stat(key)
        if (entry?.kind === 'file') yield { key, path, size: entry.size, etag: entry.etag }
      }
    }
  }
}
