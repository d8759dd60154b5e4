import type { PathReport } from '@godwit/transport/node'
import type { KeptAttributes, Verdict } from '../messages/messages.ts'
import type { Bottleneck } from '../progress/bottleneck.ts'
import type { FileFailure } from '../sources/source.ts'
import type { VerdictCounts } from './existing-files.policy.ts'

/** The object that carries file bytes: all files back to back, see `Layout`. */
export const BODY_OBJECT = 1

export interface TransferResult {
  /** Files and folders in place at the receiver, those from an earlier run included. */
  readonly files: number
  readonly bytes: number
  /** Bytes that were at the receiver already. */
  readonly keptBytes: number
  /** Files by what happened to them; `new` and `replaced` are counted in a dry run only. */
  readonly verdicts: Readonly<VerdictCounts>
  readonly failures: readonly FileFailure[]
}

export interface TransferProgress {
  readonly state: 'listing' | 'running' | 'paused' | 'finishing'
  readonly files: number
  readonly filesDone: number
  readonly bytes: number
  /** Verified at the receiver. */
  readonly bytesDone: number
  /** File bytes that crossed the network in this run, repairs of the network not counted. */
  readonly bytesMoved: number
  /** Smoothed over a few seconds. */
  readonly bytesPerSecond: number
  /** Undefined while the list or the speed is unknown. */
  readonly secondsLeft: number | undefined
  readonly bottleneck: Bottleneck | undefined
  readonly path: PathReport
}

export interface EngineEvents {
  progress?(progress: TransferProgress): void
  path?(report: PathReport): void
  fileFailed?(failure: FileFailure): void
  /** The receiver takes the task. Sender only. */
  accepted?(keeps: KeptAttributes): void
  /** What happens to a file that is at the receiver already; in a dry run, to every file. */
  verdict?(path: string, verdict: Verdict): void
  /** The source left a path out. Sender only. */
  fileSkipped?(skipped: FileFailure): void
}

/** Milliseconds that never go back. */
export type MonotonicMs = () => number
