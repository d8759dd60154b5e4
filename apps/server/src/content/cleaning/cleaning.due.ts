import type { ErrorName } from '@godwit/contract'
import { KIND_FILE, KIND_FOLDER, type ObjectStore } from '@godwit/storage'
import type { Clock } from '@godwit/base'
import { storageError, storagesStore, withAppErrors, type Storages } from '../../foundation/storages/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { mountsStore } from '../../identity/mounts/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { mountOfGroup, storeOf, unreachable } from '../access/index.ts'
import { hashOfPath } from '../file-events/index.ts'
import { storedAt } from '../quotas/index.ts'
import { rootKeyOf } from '../search/index.ts'
import { isDue, type CleaningRule } from './cleaning.policy.ts'
import { cleaningStore } from './cleaning.store.ts'

export interface CleaningDeps {
  readonly db: Db
  readonly clock: Clock
  readonly storages: Storages
}

/** A place on the storage, and whose bin takes what goes there. */
export interface Place {
  readonly ownerId: string
  readonly spaceId: number
  readonly groupId: number
  readonly store: ObjectStore
}

export interface DueFile {
  readonly key: string
  /** As its owner sees it. */
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  readonly etag: string
}

export interface Due {
  readonly place: Place
  readonly file: DueFile
}

export interface Round {
  readonly storageId: number
  readonly rule: CleaningRule
  readonly signal: AbortSignal
}

const PLACES_MAX = 1_000_000

/** Every file that is due at present, one place after the other. */
export async function* eachDue(deps: CleaningDeps, round: Round): AsyncGenerator<Due> {
  for (const row of await storagesStore.placesOn(deps.db, round.storageId, PLACES_MAX)) {
    const root = await rootOf(deps, { ownerId: row.owner_id, spaceId: row.space_id, groupId: row.group_id })
    if (root === undefined) continue
    for await (const file of dueIn(deps, root, round)) yield { place: root.place, file }
  }
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

async function* dueIn(deps: CleaningDeps, root: Root, round: Round): AsyncGenerator<DueFile> {
  if ((await root.place.store.stat(root.key)) === undefined) return
  const top = root.above === '' ? '/' : root.above
  const openedMs = (await openedAt(deps, { root, rule: round.rule }, [top])).get(top) ?? 0
  const waiting: Folder[] = [{ key: root.key, path: root.above, openedMs }]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    try {
      yield* dueInFolder(deps, { ...round, root, waiting }, folder)
    } catch (thrown) {
      // Removed or moved since the folder above it was read.
      if (!GONE.has(storageError(thrown).code)) throw thrown
    }
  }
}

const GONE: ReadonlySet<ErrorName> = new Set(['PATH_NOT_FOUND', 'PATH_IS_FILE'])

interface Walk extends Round {
  readonly root: Root
  /** Folders that are still to be looked into. */
  readonly waiting: Folder[]
}

async function* dueInFolder(
  deps: CleaningDeps,
  { root, rule, signal, waiting }: Walk,
  folder: Folder,
): AsyncGenerator<DueFile> {
  const { db, clock } = deps
  const { store, spaceId } = root.place
  for await (const page of store.list(folder.key, { signal })) {
    const names = page.names.filter((name) => unreachable(name) === undefined)
    const paths = names.map((name) => `${folder.path}/${name.normalize('NFC')}`)
    const found = await withAppErrors(() => store.statMany(folder.key, names, signal))
    const opened = await openedAt(deps, { root, rule }, paths)
    for (const [at, name] of names.entries()) {
      const path = paths[at] ?? ''
      const openedMs = Math.max(folder.openedMs, opened.get(path) ?? 0)
      const key = `${folder.key}/${name}`
      if (found.kinds[at] === KIND_FOLDER) waiting.push({ key, path, openedMs })
      if (found.kinds[at] !== KIND_FILE) continue
      const modifiedMs = found.modifiedMs[at] ?? Infinity
      if (!isDue(rule, { modifiedMs, openedMs }, clock.now())) continue
      const entry = await store.stat(key)
      if (entry?.kind !== 'file') continue
      // A file that came lately may bring along a time of long ago.
      const arrivedMs = (await storedAt(db, { spaceId, key, etag: entry.etag })) ?? 0
      if (!isDue(rule, { modifiedMs, openedMs: Math.max(openedMs, arrivedMs) }, clock.now())) continue
      yield { key, path, size: entry.size, modifiedMs, etag: entry.etag }
    }
  }
}

/** When these were last opened, by path; what is not known is 0. */
async function openedAt(
  { db }: CleaningDeps,
  { root, rule }: Pick<Walk, 'root' | 'rule'>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (rule.basis === 'modified' || paths.length === 0) return new Map()
  const { spaceId, groupId } = root.place
  const tree = { owner_id: root.treeOwner, space_id: spaceId, group_id: groupId }
  const times = await cleaningStore.times(db, tree, paths.map(hashOfPath))
  return new Map(paths.flatMap((path) => [[path, times.get(hashOfPath(path)) ?? 0]]))
}
