import type { HashName } from '../hashes/tree-hash.ts'

/** One transfer as its target sees it. */
export interface TargetTask {
  /** 16 bytes. The same id means: go on where an earlier run stopped. */
  readonly taskId: Uint8Array
  readonly hash: HashName
}

/** What the target still has of a file from an earlier run of the task, and vouches for. */
export interface StoredFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Committed, and nobody has changed it since. */
  readonly isCommitted: boolean
  /**
   * Leaves stored for a file that is not committed, ascending. Never all of them: of a file that was complete one is left
   * out, so that writing it again completes the file.
   */
  readonly leaves: readonly number[]
}

/** Resumption state. Doubtful claims have been checked against the stored bytes before they appear here. */
export interface TargetState {
  readonly isResumed: boolean
  readonly files: readonly StoredFile[]
}

/** What a file is, apart from its bytes. */
export interface TargetFile {
  /** Its number in the transfer. */
  readonly file: number
  /** Relative, checked by `checkPath`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Unix milliseconds; the committed file has this time. */
  readonly mtimeMs: number
  /** Permission bits, 0 to 0o777, as the sender has them. What is kept of them is the target's decision. */
  readonly mode: number
}

/** The part of one file that a block brings: all of a small file, or one leaf of a larger one. */
export interface TargetSpan extends TargetFile {
  /** A multiple of `LEAF_BYTES`. */
  readonly fileOffset: number
  readonly length: number
  /** The leaf hash that the sender announced. */
  readonly leaf: Uint8Array
}

export interface WriteSpans {
  /** The bytes of all spans, back to back. Lent until the promise settles. */
  readonly block: Uint8Array<SharedArrayBuffer>
  readonly spans: readonly TargetSpan[]
}

export type TargetFault = 'TARGET_UNWRITABLE' | 'DISK_FULL' | 'HASH_MISMATCH'

/** A fault ends one file, not the transfer: later spans of the file are dropped. */
export interface FileFault {
  readonly file: number
  readonly code: TargetFault
}

export interface SpansWritten {
  /** Indices of spans whose bytes do not match their leaf; nothing of them was stored. */
  readonly mismatched: readonly number[]
  readonly failed: readonly FileFault[]
  /** Complete files that wait for `commit`, these included. */
  readonly uncommitted: number
  /** Time the target worked on it, milliseconds. */
  readonly busyMs: number
}

export interface SpanAdopted {
  /** The stored leaf of the earlier version is the same, and counts as written. */
  readonly isSame: boolean
  readonly failed: readonly FileFault[]
  readonly uncommitted: number
}

/** A folder, or a file without bytes. */
export interface EmptyEntry {
  readonly file: number
  readonly kind: 'file' | 'directory'
  readonly path: string
  readonly mtimeMs: number
  readonly mode: number
}

export interface EmptyMade {
  /** Folders made or found. Files are only prepared, and wait for `commit`. */
  readonly folders: number
  readonly failed: readonly FileFault[]
  readonly uncommitted: number
}

export interface FilesCommitted {
  readonly committed: number
  readonly failed: readonly FileFault[]
  readonly busyMs: number
}

/**
 * `complete`: the task is over and leaves nothing behind but its files.
 * `interrupted`: what was written is kept, and a later `open` with the same task finds it.
 */
export type CloseReason = 'complete' | 'interrupted'

/**
 * Where the files of a transfer go: a disk, an object store, memory. Every implementation passes `targetSuite` of
 * `@godwit/transfer/testing`.
 *
 * The life of a file: its spans arrive in any order by `write` (or `adopt`), each verified against its leaf hash. When the
 * last one is there the file is *complete* and hidden. `commit` makes all complete files durable and only then visible
 * under their paths, each in one atomic step with its time and rights, replacing what was there. A file's hash is the
 * tree hash over its leaves, so a target that records hashes needs no second pass over the bytes.
 *
 * What has been acknowledged: a settled `write` of a leaf survives the end of the process, and `open` reports it after
 * checking it; a settled `commit` survives the loss of power.
 *
 * Calls may overlap. They take effect in the order in which they were made, as if each had waited for the one before.
 * `open` comes first and once, `close` last and once.
 */
export interface Target {
  /** @throws TransferError TARGET_UNWRITABLE, DISK_FULL when nothing at all can be stored here */
  open(task: TargetTask): Promise<TargetState>
  /**
   * Verifies each span and stores it. A span written twice is stored once more; a span of a file that has failed is dropped.
   * A file with a path that leads out of the target, or through something that is not a folder, fails.
   */
  write(request: WriteSpans): Promise<SpansWritten>
  /**
   * The file has changed since an earlier run, which left a leaf at this place: keeps that leaf if it has this hash.
   * Brings no bytes.
   */
  adopt(span: TargetSpan): Promise<SpanAdopted>
  makeEmpty(entries: readonly EmptyEntry[]): Promise<EmptyMade>
  /** Makes complete files durable, then visible. One that cannot be is reported as failed, and is not visible. */
  commit(): Promise<FilesCommitted>
  /** Commits what is complete, makes folders durable and releases whatever is open. */
  close(reason: CloseReason): Promise<void>
}
