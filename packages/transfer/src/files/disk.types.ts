import type * as fs from 'node:fs'
import type { HashName } from '../hashes/tree-hash.ts'

/** The part of node:fs the disk side uses; an argument, so that tests can make it fail. */
export type DiskFs = Pick<
  typeof fs,
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'fstatSync'
  | 'lstatSync'
  | 'ftruncateSync'
  | 'futimesSync'
  | 'fchmodSync'
  | 'fdatasyncSync'
  | 'fsyncSync'
  | 'renameSync'
  | 'mkdirSync'
  | 'unlinkSync'
  | 'readFileSync'
> & {
  /** Makes everything durable that was written to the file system of an open file; where the platform can. */
  readonly syncFilesystem?: (handle: number) => void
}

/** One piece of a chunk at the sender. */
export interface SourcePiece {
  /** Absolute path. */
  readonly path: string
  readonly fileOffset: number
  readonly length: number
  /** As listed in the manifest; anything else means that the source changed. */
  readonly size: number
  readonly mtimeMs: number
}

export type PieceFault = 'SOURCE_CHANGED' | 'SOURCE_UNREADABLE'

export interface ReadChunk {
  /** Shared memory of at least the chunk's length; filled with the pieces back to back. */
  readonly block: Uint8Array<SharedArrayBuffer>
  readonly hash: HashName
  readonly pieces: readonly SourcePiece[]
}

export interface ChunkRead {
  /** One leaf hash for each piece; zeros for a piece with a fault. */
  readonly leaves: Uint8Array
  readonly faults: ReadonlyArray<{ readonly piece: number; readonly fault: PieceFault }>
  readonly busyMs: number
}

/** One piece of a chunk at the receiver. */
export interface TargetPiece {
  readonly file: number
  /** Relative, checked. */
  readonly path: string
  readonly fileOffset: number
  readonly length: number
  readonly size: number
  readonly mtimeMs: number
  readonly mode: number
  /** The leaf hash the sender announced. */
  readonly leaf: Uint8Array
}

export interface WriteChunk {
  readonly block: Uint8Array<SharedArrayBuffer>
  readonly pieces: readonly TargetPiece[]
}

export interface FileFault {
  readonly file: number
  readonly code: TargetFault
}

export interface ChunkWritten {
  /** Pieces whose bytes do not match their leaf; nothing of them was written. */
  readonly mismatched: readonly number[]
  readonly failed: readonly FileFault[]
  /** Files that are complete and wait for `place`. */
  readonly waiting: number
  readonly busyMs: number
}

export interface LeafAdopted {
  /** The leaf of the earlier version is this one, and counts. */
  readonly isSame: boolean
  readonly failed: readonly FileFault[]
  /** Files that are complete and wait for `place`. */
  readonly waiting: number
}

export interface EmptyMade {
  /** Folders made. Files are only prepared, and wait for `place`. */
  readonly folders: number
  readonly failed: readonly FileFault[]
  readonly waiting: number
}

/** Files that were complete: durable now and in their place, or failed. */
export interface FilesPlaced {
  readonly finished: number
  readonly failed: readonly FileFault[]
  readonly busyMs: number
}

export type TargetFault = 'TARGET_UNWRITABLE' | 'DISK_FULL' | 'HASH_MISMATCH'

export interface OpenTarget {
  /** Absolute path of the folder that receives; made when missing. */
  readonly root: string
  readonly taskId: Uint8Array
  readonly hash: HashName
  /** Claims of a journal without an orderly end that are hashed again, in leaves. */
  readonly distrust: number
}

/** What an earlier run left, by path, after doubtful claims were checked. */
export interface TargetOpened {
  readonly isResumed: boolean
  readonly known: ReadonlyArray<{
    readonly path: string
    readonly size: number
    readonly mtimeMs: number
    readonly isDone: boolean
    /** Verified leaves of the part file. */
    readonly leaves: readonly number[]
  }>
  readonly rehashedBytes: number
}

export interface EmptyEntry {
  readonly file: number
  readonly kind: 'file' | 'directory'
  readonly path: string
  readonly mtimeMs: number
  readonly mode: number
}

export interface CloseTarget {
  /** Everything is made durable. Then, `complete`: the journal goes; `clean`: the journal says so. */
  readonly how: 'complete' | 'clean'
}
