import { allHashes, hashAt, hashesOf, spacesWithHashes, type KnownHash } from '../content/quotas/index.ts'
import { treeHashOf } from '../content/intake/index.ts'
import type { Db } from '../kernel/db/index.ts'
import { KIND_FILE, KIND_FOLDER, KIND_GONE, StorageError, type Entry, type ObjectStore } from '@godwit/storage'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase, withStorages } from './installation.ts'

/** What must not be: each one makes the exit code 1. */
interface Problem {
  /**
   * damaged: the bytes are not those that were stored (only with --all)
   * unreadable: the storage cannot give them back
   * missing: the database knows of it and the storage does not, under no other name either
   */
  readonly kind: 'damaged' | 'unreadable' | 'missing'
  /** Key inside the storage. */
  readonly key: string
  readonly reason: string
}

interface Report {
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
  readonly problems: Problem[]
}

interface Walk {
  readonly call: Invocation
  readonly db: Db
  readonly store: ObjectStore
  readonly report: Report
  /** Those with noted hashes; all spaces share the storage. */
  readonly spaceIds: readonly number[]
  /** Noted keys whose content stands under another one: moved from outside, or while this looks. */
  readonly elsewhere: Set<string>
}

const LISTED = 1_000
/** The storages of this installation serve this space. */
const SPACE = 1
const HOMES = 'users'

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Compare the storage with what the database knows of it; --all reads every byte back',
  positionals: [],
  options: {
    all: { type: 'boolean', summary: 'Read every file and compare its hash with the one noted when it came' },
  },
  examples: ['godwit verify', 'godwit verify --all --json > report.json'],
  run: async (call) => {
    const report = await verify(call)
    call.show(report, describe(report, call.options['all'] === true))
    return report.problems.length === 0 ? EXIT.ok : EXIT.problems
  },
}

async function verify(call: Invocation): Promise<Report> {
  const lists = { changed: [], unrecorded: [], orphanHomes: [], orphanParts: [], problems: [] }
  const report: Report = { files: 0, bytes: 0, recorded: 0, intact: 0, changedCount: 0, unrecordedCount: 0, ...lists }
  await withDatabase(call, ({ db }) =>
    withStorages(call, async (storages) => {
      const store = storages.ofSpace(SPACE)
      if (store === undefined) throw new Error('the default space has no storage')
      const spaceIds = [...new Set([SPACE, ...(await spacesWithHashes(db))])]
      const walk = { call, db, store, report, spaceIds, elsewhere: new Set<string>() }
      await verifyTree(walk)
      await findMissing(walk)
      await verifyUploads(walk)
      await verifyRecycled(walk)
      await findOrphanHomes(walk)
    }),
  )
  return report
}

async function verifyTree(walk: Walk): Promise<void> {
  const { call, store, report } = walk
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const page of store.list(folder, { details: true, signal: call.io.signal })) {
      for (const [at, name] of page.names.entries()) {
        const key = folder === '' ? name : `${folder}/${name}`
        const kind = page.details?.kinds[at] ?? page.kinds[at]
        if (kind === KIND_FOLDER) waiting.push(key)
        if (kind !== KIND_FILE) continue
        report.files++
        report.bytes += page.details?.sizes[at] ?? 0
        await verifyFile(walk, key)
      }
    }
  }
}

async function verifyFile(walk: Walk, key: string): Promise<void> {
  const { call, store, report } = walk
  call.io.signal.throwIfAborted()
  try {
    const entry = await store.stat(key)
    // Gone since the folder was read.
    if (entry === undefined) return
    const [noted] = await notesOf(walk, key, entry.etag)
    if (noted === undefined) return await verifyOther(walk, key, entry)
    report.recorded++
    if (call.options['all'] !== true) return
    const hash = await treeHashOf(entry.size, () => store.openRead(key))
    if (hash === noted.hash) report.intact++
    else report.problems.push({ kind: 'damaged', key, reason: `hash ${hash} instead of ${noted.hash}` })
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

/** A content that nothing is noted of: another one than was stored here, or one that never came through the server. */
async function verifyOther({ call, db, store, report, spaceIds }: Walk, key: string, { size }: Entry): Promise<void> {
  const stored = await hashAt(db, { spaceIds, key })
  const isSame =
    stored !== undefined &&
    call.options['all'] === true &&
    (await treeHashOf(size, () => store.openRead(key))) === stored.hash
  if (isSame) {
    // Only its time or its place on the disk changed: a storage that was copied to another disk looks like this.
    report.recorded++
    report.intact++
  } else if (stored !== undefined) {
    report.changedCount++
    if (report.changed.length < LISTED) report.changed.push(key)
  } else {
    report.unrecordedCount++
    if (report.unrecorded.length < LISTED) report.unrecorded.push(key)
  }
}

/** Every file that was stored stands where it was stored, or under another name. */
async function findMissing({ call, db, store, report, elsewhere, spaceIds }: Walk): Promise<void> {
  const isGone = async ({ key }: Pick<KnownHash, 'key'>): Promise<boolean> =>
    !elsewhere.has(key) && (await store.stat(key)) === undefined
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
        call.io.signal.throwIfAborted()
        await look(row)
      }
    }
  }
}

/** Every unfinished upload has its hidden bytes, and all hidden bytes have their upload. */
async function verifyUploads({ call, db, store, report }: Walk): Promise<void> {
  const rows = await db
    .selectFrom('uploads')
    .select(['path', 'state', 'store_upload'])
    .where('store_upload', '!=', '')
    .where('state', 'in', ['open', 'processing', 'failed'])
    .execute()
  const owners = new Map(rows.map((row) => [(JSON.parse(row.store_upload) as { readonly id: string }).id, row]))
  const hidden = new Set<string>()
  for await (const { upload } of store.listUploads(call.io.clock.now() + 1)) hidden.add(upload.id)
  for (const [id, { path, state }] of owners) {
    if (state === 'open' && !hidden.has(id)) {
      report.problems.push({ kind: 'missing', key: id, reason: `the bytes of the unfinished upload to ${path}` })
    }
  }
  report.orphanParts.push(...[...hidden].filter((id) => !owners.has(id)).slice(0, LISTED))
}

async function verifyRecycled({ db, store, report }: Walk): Promise<void> {
  const rows = await db.selectFrom('recycle_items').select(['storage_key', 'path']).execute()
  for (const row of rows) {
    if ((await store.stat(row.storage_key)) !== undefined) continue
    report.problems.push({ kind: 'missing', key: row.storage_key, reason: `recycled from ${row.path}` })
  }
}

async function findOrphanHomes({ db, store, report }: Walk): Promise<void> {
  const homes = new Set((await db.selectFrom('users').select('home').execute()).map(({ home }) => home))
  if ((await store.stat(HOMES)) === undefined) return
  for await (const page of store.list(HOMES)) {
    for (const [at, name] of page.names.entries()) {
      const home = `${HOMES}/${name}`
      if (page.kinds[at] !== KIND_GONE && !homes.has(home)) report.orphanHomes.push(home)
    }
  }
}

function describe(report: Report, isAll: boolean): string {
  const { files, bytes, recorded, intact, changed, changedCount, unrecordedCount, orphanHomes, orphanParts, problems } =
    report
  return [
    `${files} files, ${bytes} bytes; ${recorded} with a noted hash, ${unrecordedCount} without, ${changedCount} changed from outside`,
    ...(isAll ? [`${intact} read back and intact`] : ['bytes were not read: godwit verify --all does']),
    ...changed.map((key) => `changed  ${printable(key)}: written to from outside since it was stored`),
    ...orphanHomes.map((home) => `orphan   ${printable(home)}: no account has this folder`),
    ...orphanParts.map((id) => `orphan   ${id}: hidden bytes that no upload owns`),
    ...problems.map(({ kind, key, reason }) => `${kind.padEnd(10)}  ${printable(key)}: ${printable(reason)}`),
    problems.length === 0 ? 'No problems.' : `${problems.length} problems.`,
  ].join('\n')
}

/** Names come from people; a terminal must not obey them. */
function printable(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '?')
}
