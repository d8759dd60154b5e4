import { LIMITS } from '@godwit/contract'
import type { ObjectStore, OnConflict, SmallFileResult } from '@godwit/storage'
import { noteChange } from '../files/index.ts'
import { storeOf, type Location } from '../access/index.ts'
import { parseOrigin, type Origin } from '../file-events/index.ts'
import { storageError } from '../../foundation/storages/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { bookFiles, bucketOf, hashAt, type BookedFile, type VersionRow } from '../quotas/index.ts'
import { batchesStore } from './batches.store.ts'
import type { IntakeDeps } from './intake.deps.ts'
import type { BatchRow } from './intake.schema.ts'
import { treeHashOf } from '../tree-hashes/index.ts'

/** A small file with its name decided, on its way into the tree. */
export interface BatchFile {
  readonly target: Location
  readonly content: Uint8Array
  /** BLAKE3 tree hash of the content. */
  readonly hash: string
  /** Unix milliseconds; 0: unknown. */
  readonly modifiedMs: number
  /** Size of the file that stands there now. */
  readonly replacedBytes: number
  readonly isReplacement: boolean
  /** What keeps the file that stands there. */
  readonly version?: VersionRow | undefined
}

/** What a file of a batch must become, as the row keeps it. */
type ExpectedFile = Omit<BookedFile, 'spaceId' | 'etag'>

export interface Batch {
  readonly userId: string
  readonly origin: Origin
  readonly onConflict: OnConflict
  /** All of one folder. */
  readonly files: readonly BatchFile[]
}

/**
 * Writes files of one folder under one reservation. A row says what they shall become before the first is written, so that
 * a crash in between leaves neither an unbooked file nor a reservation without an owner.
 * @returns what went wrong with each file, undefined for those that are stored
 * @throws whatever kept all of it from being booked: the row stays and `recoverBatches` books what became visible
 */
export async function commitBatch(deps: IntakeDeps, batch: Batch): Promise<Array<AppError | undefined>> {
  const id = deps.ids.next()
  deps.batches.add(id)
  try {
    const files = await withVersions(deps, batch)
    const { admitted, refusals, holding } = await openBatch(deps, id, { ...batch, files })
    const faults = await holding(() => writeAndBook(deps, id, { ...batch, files: admitted }))
    return files.map((file) => refusals.get(file) ?? faults.get(file))
  } finally {
    deps.batches.delete(id)
  }
}

/** Each with what is to keep the file that it replaces. */
function withVersions({ files: { versions } }: IntakeDeps, { files, userId, origin }: Batch): Promise<BatchFile[]> {
  return Promise.all(
    files.map(async (file) => {
      const { store, place, key } = file.target
      if (!file.isReplacement) return file
      return { ...file, version: await versions.plan({ store, place, key, userId, origin }) }
    }),
  )
}

type Faults = ReadonlyMap<BatchFile, AppError>

/** @returns why files were not stored */
async function writeAndBook(
  deps: IntakeDeps,
  id: string,
  { userId, origin, onConflict, files }: Batch,
): Promise<Faults> {
  const faults = new Map<BatchFile, AppError>()
  const [first] = files
  if (first === undefined) return faults
  const { store } = first.target
  const { versions } = deps.files
  for (const { version } of files) if (version !== undefined) await versions.putAside(store, version)
  const results = await write(store, files, onConflict)
  const stored: BookedFile[] = []
  for (const [index, file] of files.entries()) {
    const result = results[index]
    if (result !== undefined && 'entry' in result) {
      stored.push({ ...bookedOf(file, result.entry.etag), version: await versions.asKept(store, file.version) })
      continue
    }
    if (file.version !== undefined) await versions.putBack(store, file.version)
    faults.set(file, storageError(result?.error ?? new Error('the storage did not report on a file')))
  }
  const reservedBytes = bytesOf(files)
  const { groupId } = first.target.place
  await inTransaction(deps.db, (tx) => settle(deps, tx, { id, userId, groupId, origin, reservedBytes, stored }))
  deps.outbox.nudge()
  for (const file of files) if (!faults.has(file)) noteChange(deps.files, file.target, 'file')
  return faults
}

interface Admission {
  readonly admitted: readonly BatchFile[]
  readonly refusals: Faults
}

interface Opened extends Admission {
  /** Runs the work on the batch, which is nobody else's meanwhile. */
  readonly holding: <T>(work: () => Promise<T>) => Promise<T>
}

/** Reserves for all files, or file by file where all are too much, so that those that fit are kept. */
function openBatch(deps: IntakeDeps, id: string, { userId, origin, files }: Batch): Promise<Opened> {
  return inTransaction(deps.db, async (tx) => {
    const groupId = files[0]?.target.place.groupId ?? LIMITS.defaultGroupId
    const admission = await reserve(deps, tx, bucketOf({ userId, groupId }), files)
    const [first] = admission.admitted
    if (first === undefined) return { ...admission, holding: (work) => work() }
    await batchesStore.insert(tx, {
      id,
      user_id: userId,
      space_id: first.target.place.spaceId,
      group_id: first.target.place.groupId,
      reserved_bytes: bytesOf(admission.admitted),
      files: JSON.stringify(admission.admitted.map(expectedOf)),
      fence: 0,
      origin: JSON.stringify(origin),
      created_at: deps.clock.now(),
    })
    return { ...admission, holding: await deps.leases.grant(tx, { table: 'intake_batches', id }) }
  })
}

async function reserve(deps: IntakeDeps, tx: Tx, bucket: string, files: readonly BatchFile[]): Promise<Admission> {
  const refusal = await refusalOf(deps, tx, { bucket, bytes: bytesOf(files) })
  if (refusal === undefined) return { admitted: files, refusals: new Map() }
  const admitted: BatchFile[] = []
  const refusals = new Map<BatchFile, AppError>()
  for (const file of files) {
    const own = await refusalOf(deps, tx, { bucket, bytes: file.content.length })
    if (own === undefined) admitted.push(file)
    else refusals.set(file, own)
  }
  return { admitted, refusals }
}

/** @returns QUOTA_EXCEEDED, or undefined when the bytes are reserved */
async function refusalOf(
  { quotas }: IntakeDeps,
  tx: Tx,
  { bucket, bytes }: { readonly bucket: string; readonly bytes: number },
): Promise<AppError | undefined> {
  try {
    await quotas.reserveBytes(tx, bucket, bytes)
    return undefined
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.code !== 'QUOTA_EXCEEDED') throw thrown
    return error
  }
}

function bytesOf(files: readonly BatchFile[]): number {
  return files.reduce((bytes, { content }) => bytes + content.length, 0)
}

function expectedOf({ target, content, hash, replacedBytes, isReplacement, version }: BatchFile): ExpectedFile {
  const { key, path, place } = target
  return { key, path, groupId: place.groupId, size: content.length, hash, replacedBytes, isReplacement, version }
}

function bookedOf(file: BatchFile, etag: string): BookedFile {
  return { ...expectedOf(file), spaceId: file.target.place.spaceId, etag }
}

async function write(
  store: ObjectStore,
  files: readonly BatchFile[],
  conflict: OnConflict,
): Promise<readonly SmallFileResult[]> {
  const small = files.map(({ target, content, modifiedMs }) => {
    return { key: target.key, content, ...(modifiedMs === 0 ? {} : { modifiedMs }) }
  })
  try {
    return await store.writeFiles(small, { conflict })
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error('not written', { cause: thrown })
    return small.map(({ key }) => ({ key, error }))
  }
}

interface Settling {
  readonly id: string
  readonly userId: string
  readonly origin: Origin
  readonly groupId: number
  readonly reservedBytes: number
  readonly stored: readonly BookedFile[]
}

/** Ends the row and its reservation, once. @throws AppError UPLOAD_BUSY when another node ended it */
async function settle(deps: IntakeDeps, tx: Tx, { id, stored, ...booking }: Settling): Promise<void> {
  if (!(await batchesStore.remove(tx, id))) throw new AppError('UPLOAD_BUSY')
  await bookFiles(deps, tx, { ...booking, files: stored })
}

/**
 * Books the files of batches that were cut short, by a crash or by a database that went away.
 * @returns batches that were ended
 */
export async function recoverBatches(deps: IntakeDeps): Promise<number> {
  let ended = 0
  for (const row of await batchesStore.all(deps.db)) {
    if (deps.batches.has(row.id)) continue
    try {
      const subject = { table: 'intake_batches', id: row.id } as const
      if (await deps.leases.attempt(subject, () => recoverBatch(deps, row))) ended++
    } catch (thrown) {
      deps.log.warn({ err: thrown, batchId: row.id }, 'a batch of small files could not be settled yet')
    }
  }
  if (ended > 0) deps.outbox.nudge()
  return ended
}

async function recoverBatch(deps: IntakeDeps, row: BatchRow): Promise<boolean> {
  const { user_id: userId, space_id: spaceId, group_id: groupId } = row
  const store = await storeOf(deps.files.storages, { userId, spaceId, groupId })
  const { versions } = deps.files
  const stored: BookedFile[] = []
  for (const expected of JSON.parse(row.files) as ExpectedFile[]) {
    const etag = await visibleTag(deps, store, { row, expected })
    const { version } = expected
    if (etag === undefined && version !== undefined) await versions.putBack(store, version)
    if (etag === undefined) continue
    stored.push({ ...expected, spaceId: row.space_id, etag, version: await versions.asKept(store, version) })
  }
  const { id } = row
  const origin = parseOrigin(row.origin, userId)
  const reservedBytes = Number(row.reserved_bytes)
  await inTransaction(deps.db, (tx) => settle(deps, tx, { id, userId, groupId, origin, reservedBytes, stored }))
  return true
}

interface Looking {
  readonly row: BatchRow
  readonly expected: ExpectedFile
}

/** @returns the tag of the file that this batch put there; undefined when it did not */
async function visibleTag(
  { db }: IntakeDeps,
  store: ObjectStore,
  { row, expected }: Looking,
): Promise<string | undefined> {
  const { key, size, hash } = expected
  const entry = await store.stat(key)
  if (entry?.kind !== 'file' || entry.size !== size) return undefined
  // An equal file that was booked before stood in the way of ours, or is the one that ours did not replace.
  const booked = await hashAt(db, { spaceIds: [row.space_id], key })
  if (booked?.etag === entry.etag) return undefined
  return (await treeHashOf(size, () => store.openRead(key))) === hash ? entry.etag : undefined
}
