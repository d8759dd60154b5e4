import {
  StorageError,
  type Entry,
  type ObjectReader,
  type ObjectStore,
  type StorageReason,
  type Upload,
} from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { LeafHasher, rootOf, treeHashOf } from '../tree-hashes/index.ts'

/** How far a file has come on its way to another storage; part of the step, so that a restart can finish it. */
export interface CrossStorage {
  /** All of its bytes, not visible yet. Absent until they are there. */
  readonly staged?: StagedFile
}

export interface StagedFile {
  readonly upload: Upload
  readonly size: number
  /** BLAKE3 tree hash of what was read from the source. */
  readonly hash: string
  readonly modifiedMs: number
  /** Tag of what was read. */
  readonly etag: string
}

export interface StoredFile {
  readonly store: ObjectStore
  readonly key: string
}

interface Staging {
  readonly signal: AbortSignal
  /** Tag of the content that is to be copied. */
  readonly etag: string
  /** Receives how many bytes went over. */
  readonly onBytes?: (count: number) => void
  /** What the source is known to hash to. */
  readonly recorded?: { readonly etag: string; readonly hash: string } | undefined
}

/**
 * Writes the bytes of a file to another storage, where they stay invisible. One chunk at a time is in memory. Read back and
 * compared where the storage can read what is not visible yet.
 * @throws AppError FILE_CHANGED, FILE_CORRUPT when the bytes are not those whose hash is recorded, and StorageError as both
 * storages throw it
 */
export async function stageFile(from: StoredFile, to: StoredFile, staging: Staging): Promise<StagedFile> {
  await using reader = await from.store.openRead(from.key)
  const { size, modifiedMs, etag } = reader.entry
  if (etag !== staging.etag) throw new AppError('FILE_CHANGED')
  const hasher = new LeafHasher(0, size)
  const upload = await writeUpload(reader, to, {
    signal: staging.signal,
    onChunk: (chunk) => {
      hasher.update(chunk)
      staging.onBytes?.(chunk.length)
    },
  })
  try {
    const hash = await rootOf(size, hasher.leaves(0, size), () => from.store.openRead(from.key))
    const { recorded } = staging
    const isKnownOther = recorded?.etag === etag && recorded.hash !== hash
    if (isKnownOther || !(await holds(to.store, upload, { size, hash }))) throw new AppError('FILE_CORRUPT')
    return { upload, size, hash, modifiedMs, etag }
  } catch (thrown) {
    await to.store.abortUpload(upload)
    throw thrown
  }
}

/** Whether an upload holds what was read. Where it cannot be read before it is visible, see {@link requireStored}. */
async function holds(store: ObjectStore, upload: Upload, { size, hash }: Pick<StagedFile, 'size' | 'hash'>) {
  if (!store.capabilities.readableUploads || size === 0) return true
  return (await treeHashOf(size, () => store.openUpload(upload))) === hash
}

interface Writing {
  readonly signal: AbortSignal
  /** Sees each chunk before it is written. */
  readonly onChunk?: (chunk: Uint8Array) => void
}

/**
 * All bytes of a file as an upload that is not completed.
 * @throws AppError FILE_CHANGED when the file is replaced or removed meanwhile, and StorageError as both storages throw it
 */
export async function writeUpload(reader: ObjectReader, { store, key }: StoredFile, writing: Writing): Promise<Upload> {
  const { size } = reader.entry
  const { signal, onChunk } = writing
  const upload = await store.createUpload({ key, size })
  try {
    for (let offset = 0, index = 0; offset < size || index === 0; index++) {
      signal.throwIfAborted()
      const length = Math.min(upload.partSize, size - offset)
      const span = { start: offset, end: offset + length }
      await store.writePart(upload, { index, offset, length }, owned(reader.stream(span, signal), onChunk), { signal })
      offset += length
    }
    return upload
  } catch (thrown) {
    await store.abortUpload(upload)
    throw faultOf(thrown)
  }
}

/** Of a source that fails the target knows that alone, and not why. */
function faultOf(thrown: unknown): unknown {
  const cause = thrown instanceof StorageError && thrown.reason === 'source' ? thrown.cause : undefined
  if (!(cause instanceof StorageError)) return thrown
  const isChange = cause.reason === 'conflict' || cause.reason === 'not-found'
  return isChange ? new AppError('FILE_CHANGED', {}, { cause }) : cause
}

/** What a reader lends is overwritten by its next chunk. */
async function* owned(
  chunks: AsyncIterable<Uint8Array>,
  onChunk: ((chunk: Uint8Array) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const copy = Uint8Array.from(chunk)
    onChunk?.(copy)
    yield copy
  }
}

/**
 * Makes a staged file visible. Repeated after a crash it gives the same answer.
 * @param replaced tag of the file whose place it takes; anything else that has the name is never overwritten
 * @throws StorageError as completeUpload() throws it
 */
export async function publishStaged(
  { store, key }: StoredFile,
  { upload, size, modifiedMs }: StagedFile,
  replaced: string | undefined,
): Promise<Entry> {
  const current = replaced === undefined ? undefined : await store.stat(key)
  const conflict = current !== undefined && current.etag === replaced ? 'replace' : 'fail'
  return store.completeUpload(upload, { size, modifiedMs, conflict })
}

/**
 * Reads a file back that could not be read before it became visible. A wrong one is removed again.
 * @throws AppError FILE_CORRUPT
 */
export async function requireStored({ store, key }: StoredFile, { size, hash }: StagedFile, entry: Entry) {
  if (store.capabilities.readableUploads) return
  if ((await treeHashOf(size, () => store.openRead(key))) === hash) return
  if ((await store.stat(key))?.etag === entry.etag) await store.remove(key)
  throw new AppError('FILE_CORRUPT')
}

/**
 * Removes the source of a file that stands at its target. Call it while holding the folder of the source.
 * @returns why it stays; undefined when it is gone
 * @throws StorageError when nobody knows whether it is gone
 */
export async function removeSource(
  { store, key }: StoredFile,
  { etag }: Pick<StagedFile, 'etag'>,
): Promise<Error | undefined> {
  const entry = await store.stat(key)
  // An earlier run, cut short, had removed it.
  if (entry === undefined) return undefined
  if (entry.etag !== etag) return new AppError('FILE_CHANGED')
  try {
    await store.remove(key)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof StorageError) || UNCERTAIN.has(thrown.reason)) throw thrown
    return thrown.reason === 'not-found' ? undefined : thrown
  }
}

/** After these nobody knows whether the storage did it. */
export const UNCERTAIN: ReadonlySet<StorageReason> = new Set(['io', 'unreachable'])

/** After these the staged bytes can become nothing any more, or somebody else has the name. */
const LOST = new Set(['exists', 'is-folder', 'not-found', 'not-a-folder', 'incomplete', 'upload-gone', 'upload-failed'])

/** Whether a staged file will never become visible. */
export function isLost(thrown: unknown): boolean {
  return thrown instanceof StorageError && LOST.has(thrown.reason)
}
