/**
 * One interface for every kind of storage. This file is one piece because it is the contract that all providers and the
 * conformance suite (`@godwit/storage/testing`) are written against.
 *
 * Keys are '/'-separated relative paths, NFC as the caller made them, without a leading or trailing '/'; '' is the root
 * folder. `content/files` turns user text into keys; a store refuses bad ones again (see keys.ts) and never follows a
 * symbolic link.
 *
 * How the operations map:
 *
 * | here           | local disk                                | S3 / OSS                            | Azure Blob             | GCS                          |
 * |----------------|-------------------------------------------|-------------------------------------|------------------------|------------------------------|
 * | list           | readdir                                   | ListObjectsV2, Delimiter '/'        | List Blobs, delimiter  | objects.list, delimiter      |
 * | openRead       | positioned reads                          | GetObject, Range                    | Get Blob, Range        | objects.get, Range           |
 * | createFolder   | mkdir                                     | empty object 'key/'                 | empty blob 'key/'      | empty object 'key/'          |
 * | move           | link + unlink, or rename                  | CopyObject + DeleteObject           | Copy Blob + delete     | rewrite + delete             |
 * | createUpload   | hidden file of the announced size         | CreateMultipartUpload               | (nothing)              | (nothing)                    |
 * | writePart      | writev at offset, fdatasync               | UploadPart                          | Put Block              | hidden object per part       |
 * | appendUpload   | the same file                             | buffered to parts, tail kept aside  | Put Block              | hidden object per part       |
 * | completeUpload | link or rename, fsync of the folder       | CompleteMultipartUpload             | Put Block List         | compose, 32 at a time        |
 * |   conflict fail| link(2) refuses                           | If-None-Match: *                    | If-None-Match: *       | ifGenerationMatch=0          |
 * | abortUpload    | unlink                                    | AbortMultipartUpload                | (blocks expire)        | delete the hidden objects    |
 * | etag           | time, size, inode, birth                  | ETag                                | ETag                   | generation                   |
 *
 * Every method may throw StorageError 'invalid-key', 'permission', 'unreachable', 'read-only', 'io' and the reason of an
 * aborted signal; only further reasons are listed.
 */

/** 'fail' throws 'exists' when the name is taken, decided by the storage in the same step, without a race. */
export type OnConflict = 'fail' | 'replace'

/** What a provider can do beyond the common minimum. Differences are declared here, never inferred from a provider's name. */
export interface Capabilities {
  readonly provider: 'local' | 's3' | 'azure' | 'gcs'
  /** list() yields names in ascending UTF-8 byte order. */
  readonly orderedList: boolean
  /** A list() page carries sizes and times at no extra cost. */
  readonly detailedList: boolean
  /** move() is one atomic step, for trees too. Otherwise it copies and then deletes; see finishMove() for a crash in between. */
  readonly atomicMove: boolean
  /** Folders exist by themselves. Otherwise a folder is a marker object or merely a prefix of some key. */
  readonly realFolders: boolean
  /** Parts may begin at any offset and have any length. Otherwise index decides: offset = index * partSize, all but the last full. */
  readonly freeParts: boolean
  /** Limits on partSize; equal for all parts but the last. */
  readonly part: { readonly minBytes: number; readonly maxBytes: number; readonly maxCount: number }
  /** completeUpload() accepts another key than createUpload(), still in O(1). */
  readonly retarget: boolean
  /** openUpload() works: bytes can be hashed and scanned before they become visible. */
  readonly readableUploads: boolean
  /**
   * Whether a folder's modification time changes when an entry is added or removed. If not ('none'), only reading the folder again
   * shows what others changed in it.
   */
  readonly folderTimes: 'real' | 'none'
  /** completeUpload with 'fail' is decided by the storage itself. Otherwise a check before the step leaves a small race. */
  readonly conditionalComplete: boolean
}

export type EntryKind = 'file' | 'folder'

export interface Entry {
  readonly key: string
  readonly kind: EntryKind
  /** Bytes; 0 for folders. */
  readonly size: number
  /** Unix milliseconds of the last change of content; 0 where a storage keeps none (prefix folders). */
  readonly modifiedMs: number
  /**
   * Opaque: ASCII letters, digits and '-', no quotes. For a file it changes whenever the content does. For a folder it identifies the
   * folder, whatever its content, and is '' where the storage cannot distinguish folders. A rename
   * changes neither where `atomicMove` holds.
   */
  readonly etag: string
  /** In the answer of `stat`: opening this file ends with `permission`, whoever asks. */
  readonly isUnreadable?: true
}

/** Kinds in the columns of a listing. */
export const KIND_FILE = 0
export const KIND_FOLDER = 1
/** The name was there when the folder was read and is gone now. */
export const KIND_GONE = 2

/**
 * A piece of a listing, in columns, because a folder can hold a million entries.
 * `names[i]` is an entry's own name (no '/'), `kinds[i]` is KIND_FILE or KIND_FOLDER.
 */
export interface ListPage {
  readonly names: readonly string[]
  readonly kinds: Uint8Array
  /**
   * The same names packed, where the storage has them in this form; `names` is then created on demand. They are all plain:
   * printable ASCII without / and \\, no dot in front.
   */
  readonly plain?: PackedNames
  /** Present when `capabilities.detailedList`, or when details were requested. */
  readonly details?: EntryColumns
  /** Entries that are left out because they cannot be accessed: links, sockets, devices, names that are not UTF-8. */
  readonly leftOut: number
}

/** Names in UTF-8, concatenated. */
export interface PackedNames {
  readonly bytes: Uint8Array
  /** Where each name ends and the next begins. */
  readonly ends: Uint32Array
}

/** Parallel to the requested names. */
export interface EntryColumns {
  readonly kinds: Uint8Array
  readonly sizes: Float64Array
  readonly modifiedMs: Float64Array
  /** As of Entry; '' for folders. Present in list() when `capabilities.detailedList`. */
  readonly etags?: readonly string[]
}

export interface ByteSpan {
  /** First byte, 0 or more. */
  readonly start?: number
  /** One past the last byte; the end of the file when absent. */
  readonly end?: number
  /** For a reader that may take them slowly: small chunks out of one buffer, nothing read ahead. A hint to the storage. */
  readonly isFrugal?: boolean
}

/** A file opened for reading: later renames, replacements and removals of the key do not change what it reads. */
export interface ObjectReader extends AsyncDisposable {
  readonly entry: Entry
  /** Of the open file where it is one of this machine, until close(): for a program that reads it by itself, at any place. */
  readonly descriptor?: number
  /**
   * Bytes of a span, in order, in chunks of at most 1 MiB. A chunk is **borrowed**: it is overwritten after the next call
   * of next(), so write it and wait for that write (or copy it) before asking for more.
   * @throws StorageError 'conflict' when the file shrank or changed underneath
   */
  stream(span?: ByteSpan, signal?: AbortSignal): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** An upload in the making. Plain JSON: keep it in the database, hand it back in any later process. */
export interface Upload {
  /** 128 random bits, hexadecimal, made by the store. */
  readonly id: string
  readonly key: string
  /** Announced size; null while unknown (sequential uploads of deferred length). */
  readonly size: number | null
  readonly partSize: number
  /** What only the provider understands (S3 UploadId, inode). */
  readonly provider: Readonly<Record<string, string | number>>
}

export interface CreateUpload {
  readonly key: string
  readonly size: number | null
  /** Preferred bytes per part; raised to what the provider and the size require. Read the result from Upload.partSize. */
  readonly partSize?: number
}

export interface PartPlace {
  /** 0, 1, 2, ...; decides the order where parts are not addressed by offset. */
  readonly index: number
  readonly offset: number
  readonly length: number
}

/**
 * Where the bytes of a part come from: an http request, a file, a list of arrays. Read at the speed of the storage.
 * The storage takes ownership of the chunks: they must not change afterwards (copy borrowed ones).
 */
export type ByteSource = AsyncIterable<Uint8Array>

/** Memory of a store that sources may fill, so that bytes reach the disk without a copy. */
export interface BlockLender {
  /**
   * @param onReturned called once, when the block has been released
   * @returns memory of BLOCK_BYTES; undefined while all of it is lent
   */
  borrow(onReturned: () => void): Uint8Array | undefined
  /** Releases the block that starts with this chunk. Ignores memory that is not lent. */
  release(chunk: Uint8Array): void
}

/**
 * A source that can read straight into borrowed memory. A store that has such memory offers it before it requests the
 * first chunk. A chunk at the start of a lent block is full, or the last one; the store releases it once its bytes are
 * written. The source releases blocks that it borrowed and did not yield.
 */
export interface FillingSource extends ByteSource {
  fillFrom(lender: BlockLender): void
}

export function canFill(source: ByteSource): source is FillingSource {
  return 'fillFrom' in source
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined
  /** Sees every chunk once, in order, before it is written: for hashing and metering. */
  readonly tap?: (chunk: Uint8Array) => void
  /**
   * Called whenever more of the part, counted from its beginning, is durable; also once more before a rejection that the
   * source caused. What was reported survives a power cut. Where parts are all or nothing (S3) writePart never calls it.
   */
  readonly onDurable?: (length: number) => void
}

export interface CompleteUpload {
  /** Final size in bytes: the announced one, or the end of the last append. */
  readonly size: number
  readonly conflict: OnConflict
  /** Another key than the announced one (keep-both). Only with `capabilities.retarget`. */
  readonly key?: string
  /** Modification time of the file, Unix milliseconds. Ignored where the storage sets its own. */
  readonly modifiedMs?: number
}

export interface TreeProgress {
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

export interface LongOptions {
  readonly signal?: AbortSignal
  /** Called at most once per finished entry or 8 MiB. */
  readonly onProgress?: (done: TreeProgress) => void
}

export interface ConflictOptions extends LongOptions {
  readonly conflict: OnConflict
}

export interface CopyOptions extends ConflictOptions {
  /**
   * Runs what makes a copied file visible, once it is whole: the caller may take a lock for it and look at what is replaced. A
   * bucket copies a file in this one step. Not called for folders in a bucket, which replace nothing.
   */
  readonly publishing?: (publish: () => Promise<Entry>) => Promise<Entry>
}

export interface SmallFile {
  readonly key: string
  readonly content: Uint8Array
  readonly modifiedMs?: number
}

export type SmallFileResult =
  | { readonly key: string; readonly entry: Entry }
  | { readonly key: string; readonly error: Error }

export interface StaleUpload {
  readonly upload: Upload
  /** Last write, Unix milliseconds. */
  readonly touchedMs: number
}

export interface Space {
  readonly freeBytes: number
  readonly totalBytes: number
}

export interface ObjectStore extends AsyncDisposable {
  readonly capabilities: Capabilities

  /** undefined when nothing is there, or nothing accessible (a link). */
  stat(key: string): Promise<Entry | undefined>

  /**
   * The entries of a folder, page by page, unordered unless `orderedList`. Hidden names (the store's own) are left out.
   * With `details` every page has sizes and times; without, names arrive sooner.
   * @throws StorageError 'not-found', 'not-a-folder'
   */
  list(folder: string, options?: { details?: boolean; signal?: AbortSignal }): AsyncIterable<ListPage>

  /** Sizes and times of entries of one folder; KIND_GONE where there is none. The fast path for building an index. */
  statMany(folder: string, names: readonly string[], signal?: AbortSignal): Promise<EntryColumns>

  /** @throws StorageError 'not-found', 'is-folder' */
  openRead(key: string): Promise<ObjectReader>

  /**
   * Makes one folder, durably.
   * @throws StorageError 'exists', 'not-found' (its parent), 'not-a-folder' (its parent)
   */
  createFolder(key: string): Promise<Entry>

  /** Makes a folder and all above it that are missing; an existing one is fine. @throws StorageError 'not-a-folder' */
  ensureFolder(key: string): Promise<void>

  /**
   * Renames or moves a file or a tree, durably. A folder never replaces a file, nor a file a folder, and a folder that is
   * not empty is never replaced ('exists'): merging is the caller's decision, entry by entry.
   * @throws StorageError 'not-found', 'exists', 'is-folder', 'not-a-folder', 'conflict' (a folder into itself)
   */
  move(from: string, to: string, options: ConflictOptions): Promise<Entry>

  /**
   * Goes on with a move that was cut short, where `atomicMove` does not hold: what has not arrived is copied, and what has is
   * removed. What was put at either place meanwhile stays there.
   * @param isOurs whether a file that stands at the target came with the move, as far as the caller knows
   * @returns the target, or undefined when nothing had arrived; then nothing was changed
   */
  finishMove(
    from: string,
    to: string,
    isOurs: (target: Pick<Entry, 'key' | 'etag'>) => Promise<boolean>,
  ): Promise<Entry | undefined>

  /**
   * Copies a file or a tree under a hidden name first: the target appears whole, or, when cancelled, not at all. A file that it was to
   * replace is there until then.
   * @throws as move(), and 'no-space'
   */
  copy(from: string, to: string, options: CopyOptions): Promise<Entry>

  /**
   * Removes a file or a tree, deepest entries first; cancelled, it leaves what it has not reached. Links inside are removed,
   * never followed. @throws StorageError 'not-found'
   */
  remove(key: string, options?: LongOptions): Promise<TreeProgress>

  /** Opens an upload. The folder of the key must exist by the time of completeUpload(). @throws StorageError 'no-space' */
  createUpload(request: CreateUpload): Promise<Upload>

  /**
   * Writes one part of exactly `place.length` bytes. **Durable when it resolves.** Parts may come in any order, in parallel,
   * and again (same bytes). After a failed flush the upload is lost ('upload-failed'): the disk may have dropped what it accepted.
   * @throws StorageError 'source', 'no-space', 'upload-gone', 'upload-failed', 'incomplete' (outside the announced size)
   */
  writePart(upload: Upload, place: PartPlace, source: ByteSource, options?: WriteOptions): Promise<void>

  /**
   * Continues at `offset` until the source ends. Durable when it resolves. `offset` is an end reported before, by the
   * result or by onDurable (the caller keeps it); bytes beyond it, never reported, are written over. Where parts have a
   * least size, the rest is kept aside and counts as written. One append at a time per upload.
   * @returns the new end @throws as writePart, and 'conflict' when nothing can be continued at `offset`
   */
  appendUpload(upload: Upload, offset: number, source: ByteSource, options?: WriteOptions): Promise<number>

  /** Bytes of an unfinished upload, for hashing and scanning. Only with `capabilities.readableUploads`. */
  openUpload(upload: Upload): Promise<ObjectReader>

  /**
   * Makes the file visible in one atomic, durable step. O(1) in the size. Idempotent: repeated after a crash it answers as
   * the first time. The caller vouches that all of [0, size) was reported durable; a storage that knows its parts (S3)
   * checks that they add up.
   * @throws StorageError 'exists', 'is-folder', 'not-found' (the folder), 'incomplete', 'upload-gone', 'upload-failed',
   *   'conflict' (a part is still being written)
   */
  completeUpload(upload: Upload, request: CompleteUpload): Promise<Entry>

  /** Discards an upload and frees its space. Unknown ids are ignored. Wait for its writers first. */
  abortUpload(upload: Upload): Promise<void>

  /** Uploads not touched since `beforeMs` (Unix milliseconds), for the sweeper. Their `key` and `size` may be unknown ('' and null). */
  listUploads(beforeMs: number): AsyncIterable<StaleUpload>

  /**
   * Makes many small files durable with few flushes; each appears whole or not at all, independent of the others.
   * Results are in the order of `files`. At most 10,000 files and 64 MiB a call. A failed signal stops it between files.
   */
  writeFiles(files: readonly SmallFile[], options: ConflictOptions): Promise<SmallFileResult[]>

  /**
   * The text that identifies the owner of this storage, left out of every listing; undefined without one.
   * @throws StorageError 'not-found' when the storage itself is not there
   */
  readMark(): Promise<string | undefined>

  /** Marks the storage, durably, replacing any earlier mark. @param text at most 4 KiB */
  writeMark(text: string): Promise<void>

  /** undefined where a storage cannot report it. */
  space(): Promise<Space | undefined>
}
