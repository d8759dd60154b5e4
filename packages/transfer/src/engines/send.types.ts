import type { ByteChannel } from '@godwit/transport/node'
import type { HashName } from '../hashes/tree-hash.ts'
import type { ExistingPolicy } from '../messages/messages.ts'
import type { Source } from '../sources/source.ts'
import type { EngineEvents, MonotonicMs, TransferResult } from './engine.types.ts'
import type { ThreadCpu } from './reporter.ts'

export interface SendDeps {
  readonly channel: ByteChannel
  readonly source: Source
  readonly nowMs: MonotonicMs
  readonly cpu?: ThreadCpu
  readonly events?: EngineEvents
}

export interface SendRequest {
  /** 16 bytes. With the same id the receiver resumes where an earlier run stopped. */
  readonly taskId: Uint8Array
  readonly hash: HashName
  /** What happens to files that are at the receiver already; `keep-newer` unless said otherwise. */
  readonly existing?: ExistingPolicy
  /** Compares files of the same size by hash instead of time. */
  readonly isChecksum?: boolean
  /** Lists, gets the verdicts and ends: nothing is sent or written. */
  readonly isDryRun?: boolean
  /** For the bottleneck's text; Infinity when there is none. */
  readonly limitBitsPerSecond?: () => number
  readonly signal?: AbortSignal
}

export interface SendTask {
  readonly result: Promise<TransferResult>
  setPaused(isPaused: boolean): void
  cancel(): void
}
