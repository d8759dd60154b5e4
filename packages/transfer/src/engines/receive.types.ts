import type { ByteChannel } from '@godwit/transport/node'
import type { ExistingPolicy } from '../messages/messages.ts'
import type { Target } from '../targets/target.ts'
import type { EngineEvents, MonotonicMs, TransferResult } from './engine.types.ts'
import type { ThreadCpu } from './reporter.ts'

export interface ReceiveDeps {
  readonly channel: ByteChannel
  readonly target: Target
  readonly nowMs: MonotonicMs
  readonly cpu?: ThreadCpu
  readonly events?: EngineEvents
}

export interface ReceiveRequest {
  /** Bytes by which the channel's window may grow while the disk keeps up. */
  readonly windowGrowth?: () => number
  /** What happens to a file that is here already, in place of what the sender asks for. */
  existingOf?(path: string): ExistingPolicy
  /** May refuse a task by throwing a TransferError; also where a second connection of a task ends the first. */
  onOpen?(taskId: string): void | Promise<void>
  readonly signal?: AbortSignal
}

export interface ReceiveTask {
  readonly result: Promise<TransferResult>
  /** Set once the sender has named its task. */
  readonly taskId: string | undefined
  setPaused(isPaused: boolean): void
  cancel(): void
  /** Stops in good order for another connection to go on; settles when the journal is closed. */
  yieldTo(): Promise<void>
}
