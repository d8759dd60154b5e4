import type { FileFaultCode } from '../errors/file-faults.ts'
import type { HashName } from '../hashes/tree-hash.ts'
import type { KeptAttributes } from '../messages/messages.ts'

/** One transfer as its target sees it. */
export interface TargetTask {
  /** 16 bytes. The same id means: resume where an earlier run stopped. */
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
  /** Nothing is visible in the target, so no file can be in the way and none is looked up. */
  readonly isEmpty: boolean
}

/** What is visible at a path, no matter who put it there. */
export interface VisibleEntry {
  /** `other`: a link, a device, anything that is neither file nor folder. */
  readonly kind: 'file' | 'directory' | 'other'
  readonly size: number
  readonly mtimeMs: number
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
  /** Where its bytes begin in the block. */
  readonly blockOffset: number
  /** The leaf hash that the sender announced. */
  readonly leaf: Uint8Array
}

export interface WriteSpans {
  /** Holds the bytes of all spans, and others between them. Lent until the promise settles. */
  readonly block: Uint8Array<SharedArrayBuffer>
  readonly spans: readonly TargetSpan[]
}

/** LINK_REFUSED: the target keeps no links, or not one that leads there. */
export type TargetFault = Extract<FileFaultCode, 'TARGET_UNWRITABLE' | 'DISK_FULL' | 'HASH_MISMATCH' | 'LINK_REFUSED'>

/** A fault ends one file, not the transfer: later spans of the file are dropped. */
export interface FileFault {
  readonly file: number
  readonly code: TargetFault
}

export interface SpansWritten {
  /** Indices of spans whose bytes do not match their leaf; none of their bytes were stored. */
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

/** A folder, a link, or a file without bytes. */
export interface EmptyEntry {
  readonly file: number
  readonly kind: 'file' | 'directory' | 'link'
  readonly path: string
  /** Where a link leads. Chosen by the peer: what the target accepts of it is the target's decision. */
  readonly linkTarget?: string
  readonly mtimeMs: number
  readonly mode: number
}

export interface EmptyMade {
  /** Folders made or found. Files and links are only prepared, and wait for `commit`. */
  readonly folders: number
  readonly failed: readonly FileFault[]
  readonly uncommitted: number
}

export interface FilesCommitted {
  readonly committed: number
  readonly failed: readonly FileFault[]
  readonly busyMs: number
}

/** Time and permissions for what is visible already. */
export type EntryAttributes = Pick<EmptyEntry, 'kind' | 'path' | 'mtimeMs' | 'mode'>

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
 * `open` comes before every call that writes, once; `close` comes last, once, and only after `open`. A dry run never opens.
 */
export interface Target {
  readonly keeps: KeptAttributes
  /** What is visible at each path, undefined for nothing. Never follows a link. */
  look(paths: readonly string[]): Promise<ReadonlyArray<VisibleEntry | undefined>>
  /** For each span, whether the visible file at its path has these bytes there. Sizes have been compared before. */
  matches(spans: readonly TargetSpan[], hash: HashName): Promise<readonly boolean[]>
  /** Bytes that may still be written; undefined when that is unknown. */
  freeBytes(): Promise<number | undefined>
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
  /**
   * Gives folders their times and permissions once all is in them, and files whose bytes were the same already. What cannot
   * be set stays as it is; so does what an object store has no place for.
   */
  setAttributes(entries: readonly EntryAttributes[]): Promise<void>
  /** Commits what is complete, makes folders durable and releases whatever is open. */
  close(reason: CloseReason): Promise<void>
}
