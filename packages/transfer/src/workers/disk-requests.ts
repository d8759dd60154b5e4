import type { Listed } from '../files/listing.ts'
import type { ScanOptions } from '../files/scan.ts'
import type { DiskTask } from '../files/target-disk.ts'
import type { HashName } from '../hashes/tree-hash.ts'
import type { KeptAttributes } from '../messages/messages.ts'
import type { ReadSpans, SpansRead } from '../sources/source.ts'
import type {
  CloseReason,
  EmptyEntry,
  EmptyMade,
  EntryAttributes,
  FilesCommitted,
  SpanAdopted,
  SpansWritten,
  TargetSpan,
  TargetState,
  VisibleEntry,
  WriteSpans,
} from '../targets/target.ts'

/** The calls that a disk thread serves: what goes in, what comes out. It serves one after the other. */
export interface DiskCalls {
  /** Begins a listing and returns its first part; `listMore` returns the next. */
  list: { request: ScanOptions; result: Listed }
  listMore: { request: undefined; result: Listed }
  read: { request: ReadSpans; result: SpansRead }
  open: { request: DiskTask; result: TargetState }
  write: { request: WriteSpans; result: SpansWritten }
  adopt: { request: TargetSpan; result: SpanAdopted }
  look: {
    request: { readonly root: string; readonly paths: readonly string[] }
    result: Array<VisibleEntry | undefined>
  }
  matches: { request: VisibleSpans; result: boolean[] }
  freeBytes: { request: { readonly root: string }; result: number }
  setAttributes: { request: FolderAttributes; result: undefined }
  makeEmpty: { request: readonly EmptyEntry[]; result: EmptyMade }
  commit: { request: undefined; result: FilesCommitted }
  close: { request: CloseReason; result: undefined }
}

interface VisibleSpans {
  readonly root: string
  readonly spans: readonly TargetSpan[]
  readonly hash: HashName
}

interface FolderAttributes {
  readonly root: string
  readonly entries: readonly EntryAttributes[]
  readonly keeps: KeptAttributes
}

export type DiskCallName = keyof DiskCalls

/** Answers calls to a disk: a thread, or in tests the same code without one. */
export type CallDisk = <Name extends DiskCallName>(
  name: Name,
  request: DiskCalls[Name]['request'],
) => Promise<DiskCalls[Name]['result']>

/** A call as it crosses to the thread. */
export type DiskRequest = {
  [Name in DiskCallName]: { readonly id: number; readonly name: Name; readonly request: DiskCalls[Name]['request'] }
}[DiskCallName]

export interface DiskReply {
  readonly id: number
  readonly result?: unknown
  /** Errors lose their class on the way; the code and the message of the cause cross as text. */
  readonly error?: { readonly code: string; readonly message: string }
}
