import type {
  ChunkRead,
  ChunkWritten,
  CloseTarget,
  EmptyEntry,
  EmptyMade,
  FilesPlaced,
  LeafAdopted,
  OpenTarget,
  ReadChunk,
  TargetOpened,
  TargetPiece,
  WriteChunk,
} from '../files/disk.types.ts'

import type { Listed } from '../files/listing.ts'
import type { ScanOptions } from '../files/scan.ts'

/** What the engines ask of the disk. Jobs of one side run in the order they were asked for. */
export interface DiskJobs {
  /** Begins a listing and gives its first part; `listMore` gives the next. */
  list(options: ScanOptions): Promise<Listed>
  listMore(): Promise<Listed>
  readChunk(request: ReadChunk): Promise<ChunkRead>
  openTarget(request: OpenTarget): Promise<TargetOpened>
  writeChunk(request: WriteChunk): Promise<ChunkWritten>
  adoptLeaf(piece: TargetPiece): Promise<LeafAdopted>
  makeEmpty(entries: readonly EmptyEntry[]): Promise<EmptyMade>
  place(): Promise<FilesPlaced>
  closeTarget(request: CloseTarget): Promise<void>
  /** Ends the thread. Pending jobs are dropped. */
  stop(): Promise<void>
}

/** Jobs as they cross to the thread. */
export type DiskRequest =
  | { readonly job: 'list'; readonly request: ScanOptions }
  | { readonly job: 'listMore' }
  | { readonly job: 'readChunk'; readonly request: ReadChunk }
  | { readonly job: 'openTarget'; readonly request: OpenTarget }
  | { readonly job: 'writeChunk'; readonly request: WriteChunk }
  | { readonly job: 'adoptLeaf'; readonly request: TargetPiece }
  | { readonly job: 'makeEmpty'; readonly request: readonly EmptyEntry[] }
  | { readonly job: 'place' }
  | { readonly job: 'closeTarget'; readonly request: CloseTarget }

export interface DiskReply {
  readonly id: number
  readonly result?: unknown
  /** Errors lose their class on the way; code and cause's message cross as text. */
  readonly error?: { readonly code: string; readonly message: string }
}
