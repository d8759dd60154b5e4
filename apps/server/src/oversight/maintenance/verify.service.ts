import { LIMITS } from '@godwit/contract'
import {
  hasSameSizeAndTime,
  KIND_FILE,
  KIND_FOLDER,
  KIND_GONE,
  StorageError,
  type Entry,
  type ObjectStore,
} from '@godwit/storage'
import { treeHashOf } from '../../content/tree-hashes/index.ts'
import { recycleIdsUnderWay } from '../../content/files/index.ts'
import { allHashes, hashAt, hashesOf, spacesWithHashes, type KnownHash } from '../../content/quotas/index.ts'
import { reconcileUsage, type UsageDifference } from '../../content/usage/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { isUnchanged, repairHash, type HashRepair } from './hash-repair.ts'
import type { MaintenanceDeps } from './maintenance.deps.ts'

/** What must not be: each one makes the exit code 1. */
export interface VerifyProblem {
  /**
   * damaged: the bytes are not those that were stored, while size and time are (only with --all or --repair)
   * unreadable: the storage cannot give them back
   * missing: the database knows of it and the storage does not, under no other name either
   */
  readonly kind: 'damaged' | 'unreadable' | 'missing'
  /** Key inside the storage. */
  readonly key: string
  readonly reason: string
}

export interface VerifyReport {
  files: number
  bytes: number
  /** Files whose hash was noted when they were stored, by this content or, with --all, by this place. */
  recorded: number
  /** Files that were read back and are what was stored. */
  intact: number
  /** Stored here and written to from outside since: a person or a program did that, or a disk. The first thousand. */
  readonly changed: string[]
  changedCount: number
  /** Came from outside, or by a copy: there is nothing to compare with. The first thousand. */
  readonly unrecorded: string[]
  unrecordedCount: number
  /** Personal folders of no account. */
  readonly orphanHomes: string[]
  /** Ids of hidden files that no upload owns; the server removes them a day after their last byte. */
  readonly orphanParts: string[]
  readonly problems: VerifyProblem[]
  /** Recorded hashes that were corrected, with --repair only. The first thousand. */
  readonly hashes: HashRepair[]
  hashCount: number
  /** Accounts and groups whose booked bytes differed from what is there; looked for with --repair only. */
  readonly usage: UsageDifference[]
}

interface Walk extends MaintenanceDeps {
  readonly db: Db
  readonly isAll: boolean
  readonly isRepair: boolean
  readonly stores: readonly ObjectStore[]
  readonly report: VerifyReport
  /** Those with recorded hashes. */
  readonly spaceIds: readonly number[]
  /** Recorded keys whose content stands under another one: moved from outside, or while this looks. */
  readonly elsewhere: Set<string>
}

const LISTED = 1_000
const HOMES = 'users'

export interface VerifyRequest {
  /** Reads every byte back. */
  readonly all: boolean
  /** Corrects the bytes booked for accounts and groups, and records hashes that are missing or out of date. */
  readonly repair: boolean
}

/** Compares the storages with what the database knows of them, beside the running server. */
export async function verify(deps: MaintenanceDeps, { all, repair }: VerifyRequest): Promise<VerifyReport> {
  const lists = { changed: [], unrecorded: [], orphanHomes: [], orphanParts: [], problems: [], usage: [], hashes: [] }
  const counts = { files: 0, bytes: 0, recorded: 0, intact: 0, changedCount: 0, unrecordedCount: 0, hashCount: 0 }
  const { db } = deps.database
  const walk: Walk = {
    ...{ ...deps, db, isAll: all, isRepair: repair, report: { ...counts, ...lists } },
    stores: deps.storages.all(),
    spaceIds: [...new Set([LIMITS.defaultSpaceId, ...(await spacesWithHashes(db))])],
    elsewhere: new Set<string>(),
  }
  for (const store of walk.stores) await verifyTree(walk, store)
  await findMissing(walk)
  await verifyUploads(walk)
  await verifyRecycled(walk)
  for (const store of walk.stores) await findOrphanHomes(walk, store)
  if (repair) walk.report.usage.push(...(await reconcileUsage({ ...deps, db }, { repair })))
  return walk.report
}

async function verifyTree(walk: Walk, store: ObjectStore): Promise<void> {
  const { signal, report } = walk
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of store.list(folder, { details: true, signal })) {
      for (const [at, name] of page.names.entries()) {
        const key = folder === '' ? name : `${folder}/${name}`
        const kind = page.details?.kinds[at] ?? page.kinds[at]
        if (kind === KIND_FOLDER) waiting.push(key)
        if (kind !== KIND_FILE) continue
        report.files++
        report.bytes += page.details?.sizes[at] ?? 0
        await verifyFile(walk, store, key)
      }
    }
  }
}

async function verifyFile(walk: Walk, store: ObjectStore, key: string): Promise<void> {
  const { signal, report, isAll } = walk
  signal.throwIfAborted()
  try {
    const entry = await store.stat(key)
    // Gone since the folder was read.
    if (entry === undefined) return
    const [noted] = await notesOf(walk, key, entry.etag)
    if (noted === undefined) return await verifyOther(walk, store, entry)
    report.recorded++
    if (!isAll) return
    const hash = await treeHashOf(entry.size, () => store.openRead(key))
    if (hash === noted.hash) report.intact++
    else if (await isUnchanged(store, entry))
      report.problems.push({ kind: 'damaged', key, reason: `hash ${hash} instead of ${noted.hash}` })
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown
    // Replaced or removed while it was read: nobody lost anything.
    if (thrown.reason === 'not-found' || thrown.reason === 'conflict') return
    report.problems.push({ kind: 'unreadable', key, reason: thrown.reason })
  }
}

/** What is noted of a content; keys that are noted for it and where it does not stand are remembered. */
async function notesOf({ db, elsewhere, spaceIds }: Walk, key: string, etag: string) {
  const notes = await hashesOf(db, { spaceIds, etag })
  if (notes.some((note) => note.key === key)) return notes
  for (const note of notes) if (note.key !== null) elsewhere.add(note.key)
  return notes
}

/** Content with no recorded hash: it is not what was stored here, or it never came through the server. */
async function verifyOther(walk: Walk, store: ObjectStore, entry: Entry): Promise<void> {
  const { isAll, isRepair, db, report, spaceIds } = walk
  const { key, size } = entry
  const recorded = await hashAt(db, { spaceIds, key })
  const isRead = isRepair || (isAll && recorded !== undefined)
  const hash = isRead ? await treeHashOf(size, () => store.openRead(key)) : undefined
  // Replaced while it was read: what the hash says of it is not what the tag stands for.
  if (isRead && hash !== recorded?.hash && !(await isUnchanged(store, entry))) return
  if (recorded !== undefined && hash === recorded.hash) {
    // Only its time or its place on the disk changed: a storage that was copied to another disk looks like this.
    report.recorded++
    report.intact++
  } else if (recorded !== undefined && hash !== undefined && hasSameSizeAndTime(recorded.etag, entry.etag)) {
    // Nobody wrote to it, as far as anyone can see: a new hash would hide the damage.
    const reason = `hash ${hash} instead of ${recorded.hash}, with the size and time that were recorded`
    report.problems.push({ kind: 'damaged', key, reason })
    return
  } else if (recorded !== undefined) {
    report.changedCount++
    if (report.changed.length < LISTED) report.changed.push(key)
  } else {
    report.unrecordedCount++
    if (report.unrecorded.length < LISTED) report.unrecorded.push(key)
  }
  if (!isRepair || hash === undefined) return
  const repair = await repairHash(walk, { store, entry, hash, recorded })
  if (repair === undefined) return
  report.hashCount++
  if (report.hashes.length < LISTED) report.hashes.push(repair)
}

/** Every file that was stored stands where it was stored, or under another name. */
async function findMissing({ signal, db, stores, report, elsewhere, spaceIds }: Walk): Promise<void> {
  const purging = await db.selectFrom('recycle_items').select('storage_key').where('purging', '=', 1).execute()
  /** Being deleted for good: the hashes are forgotten after the bytes. */
  const isPurging = (key: string): boolean =>
    purging.some(({ storage_key: top }) => key === top || key.startsWith(`${top}/`))
  const isGone = async ({ key }: Pick<KnownHash, 'key'>): Promise<boolean> =>
    !elsewhere.has(key) && !isPurging(key) && !(await isThere(stores, key))
  const look = async (row: Omit<KnownHash, 'spaceId'>): Promise<void> => {
    if (!(await isGone(row))) return
    // The server may have removed or renamed it since the rows were read: then the note went with it.
    const isStillNoted = (await hashAt(db, { spaceIds, key: row.key }))?.etag === row.etag
    if (!isStillNoted || !(await isGone(row))) return
    report.problems.push({ kind: 'missing', key: row.key, reason: 'a stored file that is nowhere any more' })
  }
  for (const spaceId of spaceIds) {
    for await (const rows of allHashes(db, spaceId)) {
      for (const row of rows) {
        signal.throwIfAborted()
        await look(row)
      }
    }
  }
}

/** Every unfinished upload has its hidden bytes, and all hidden bytes have their upload. */
async function verifyUploads({ clock, db, stores, report }: Walk): Promise<void> {
  const now = clock.now()
  const rows = await db
    .selectFrom('uploads')
    .select(['path', 'state', 'store_upload', 'expires_at'])
    .where('store_upload', '!=', '')
    .where('state', 'in', ['open', 'processing', 'failed'])
    .execute()
  const owners = new Map(rows.map((row) => [(JSON.parse(row.store_upload) as { readonly id: string }).id, row]))
  const hidden = new Set<string>()
  for (const store of stores) {
    for await (const { upload } of store.listUploads(now + 1)) hidden.add(upload.id)
  }
  for (const [id, { path, state, expires_at: expiresAt }] of owners) {
    // An expired one loses its bytes at any moment.
    if (state === 'open' && expiresAt > now && !hidden.has(id)) {
      report.problems.push({ kind: 'missing', key: id, reason: `the bytes of the unfinished upload to ${path}` })
    }
  }
  report.orphanParts.push(...[...hidden].filter((id) => !owners.has(id)).slice(0, LISTED))
}

async function verifyRecycled({ db, stores, report }: Walk): Promise<void> {
  const rows = await db.selectFrom('recycle_items').select(['id', 'storage_key', 'path', 'purging']).execute()
  const underWay = await recycleIdsUnderWay(db)
  for (const row of rows) {
    // The server finishes these by itself, after a crash as well.
    if (row.purging === 1 || underWay.has(row.id)) continue
    if (await isThere(stores, row.storage_key)) continue
    report.problems.push({ kind: 'missing', key: row.storage_key, reason: `recycled from ${row.path}` })
  }
}

/** Keys are those of one installation: whatever storage has one, has the file. */
async function isThere(stores: readonly ObjectStore[], key: string): Promise<boolean> {
  for (const store of stores) if ((await store.stat(key)) !== undefined) return true
  return false
}

async function findOrphanHomes({ db, report }: Walk, store: ObjectStore): Promise<void> {
  const homes = new Set((await db.selectFrom('users').select('home').execute()).map(({ home }) => home))
  if ((await store.stat(HOMES)) === undefined) return
  for await (const page of store.list(HOMES)) {
    for (const [at, name] of page.names.entries()) {
      const home = `${HOMES}/${name}`
      if (page.kinds[at] !== KIND_GONE && !homes.has(home)) report.orphanHomes.push(home)
    }
  }
}
