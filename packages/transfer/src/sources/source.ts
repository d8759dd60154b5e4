import type { FileFaultCode } from '../errors/file-faults.ts'
import type { HashName } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'

/** A path that takes no part in the transfer, or failed in it. */
export interface FileFailure {
  readonly path: string
  readonly code: string
}

/** A file or folder to send. */
export interface SourceItem {
  readonly entry: ManifestEntry
  /** How the source finds the file again, such as an absolute path or a storage key. The peer never sees it. */
  readonly ref: string
}

/** The part of one file that is to be read. */
export interface SourceSpan {
  readonly ref: string
  /** A multiple of `LEAF_BYTES`. */
  readonly fileOffset: number
  /** At most `LEAF_BYTES`, and never beyond the end of the file. */
  readonly length: number
  /** Where its bytes belong in the block. */
  readonly blockOffset: number
  /** As listed; a file with another size or time by now has changed. */
  readonly size: number
  readonly mtimeMs: number
}

/** SOURCE_CHANGED: size or time are not those of the list. SOURCE_UNREADABLE: gone, forbidden, not a file, or a read error. */
export type SpanFault = Extract<FileFaultCode, 'SOURCE_CHANGED' | 'SOURCE_UNREADABLE'>

export interface ReadSpans {
  /** Receives the bytes of all spans. Lent until the promise settles. */
  readonly block: Uint8Array<SharedArrayBuffer>
  readonly hash: HashName
  readonly spans: readonly SourceSpan[]
}

export interface SpansRead {
  /** One leaf hash for each span, back to back; zeros for a span with a fault. */
  readonly leaves: Uint8Array
  readonly faults: ReadonlyArray<{
    /** Index in `ReadSpans.spans`. */
    readonly span: number
    readonly fault: SpanFault
  }>
  /** Time the source worked on it, milliseconds. */
  readonly busyMs: number
}

/**
 * Where the files of a transfer come from: a disk, an object store, memory. Reads are random access; a repair may ask
 * for any span again. Every implementation passes `sourceSuite` of `@godwit/transfer/testing`.
 */
export interface Source {
  /**
   * The files to send, each folder before its content. Read once, and no faster than needed: the list may be long.
   * Every path has passed `checkPath`, and no two of them clash (`PathClashes`).
   * @param onSkipped called for each path that is left out, with the reason as a code
   */
  list(onSkipped: (skipped: FileFailure) => void): AsyncIterable<SourceItem>
  /**
   * Reads and hashes spans. Calls may overlap. A file that cannot be read is a fault of its span, never a rejection.
   * The bytes of a span without a fault are those of the file as listed: the source compares size and time after reading.
   */
  read(request: ReadSpans): Promise<SpansRead>
  /** Releases whatever is open. Reads that are under way may be dropped. */
  close(): Promise<void>
}
