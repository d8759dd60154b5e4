import type { EngineEvents, ReceiveTask, SendTask, TransferResult } from '@godwit/transfer'
import type { ByteChannel } from '@godwit/transport/node'
import type { Sharer } from '../../content/account-speeds/index.ts'
import type { TransferRecord } from './transfer-record.ts'
import type { Share } from './transfer-shares.policy.ts'
import { isOpen } from './transfers.machine.ts'
import type { TransferRow } from './transfers.schema.ts'

/**
 * Why the server ends a connection:
 * - cancelled: somebody ended the transfer; its row says so
 * - revoked: the account may do this no longer, or the transfer ended elsewhere
 * - replaced: its client has connected again
 * - stopping: the server stops; the client comes back
 */
export type StopReason = 'cancelled' | 'revoked' | 'replaced' | 'stopping'

/** @returns why a connection of a transfer in this state ends; undefined while it may go on */
export function stopReasonOf(state: TransferRow['state']): StopReason | undefined {
  if (isOpen(state)) return undefined
  return state === 'cancelled' || state === 'expired' ? 'cancelled' : 'revoked'
}

/** One connection of a transfer. */
export interface TransferRun {
  readonly record: TransferRecord
  /** Whose it is, among those who share a line. */
  readonly sharer: Sharer
  readonly isPaused: boolean
  setPaused(isPaused: boolean): void
  /** Goes on with the rights of now. @returns false when there are none left @throws AppError for what may be done no longer */
  renew(row: TransferRow): Promise<boolean>
  /** Takes over what another process or a person changed about it. */
  changed(row: TransferRow): void
  setShare(share: RunShare): void
  stop(reason: StopReason): void
  /** Settles when its files are closed and its end is written down. Never rejects. */
  readonly over: Promise<void>
}

/** What it has of a line that others are on. */
export interface RunShare extends Pick<Share, 'lateMs'> {
  /** Bytes per second that it may be because of others that are in a hurry; 0: as fast as it gets. */
  readonly pace: number
  /** As how many equals it competes with the others. */
  readonly weight: number
}

export interface RunParts {
  readonly record: TransferRecord
  readonly sharer: Sharer
  readonly channel: ByteChannel
  /** Starts the engine on the channel. */
  begin(events: EngineEvents): SendTask | ReceiveTask
  readonly renew: TransferRun['renew']
  /** Called before a changed rate or priority holds. */
  limitsChanged(row: TransferRow): void
  /** Called each second, for the limits of an account, a place and the site may be others by then. */
  shareChanged(share: RunShare): void
  /** Called when the engine has ended, whatever its result, and with the reason if this side stopped it. Never rejects. */
  release(stopped: StopReason | undefined): Promise<void>
}

const REFUSED = 'PERMISSION_DENIED'
/** Close code of a connection that this side gives up without a word to the engine: the peer may come back. */
const GIVEN_UP = 4

export function startRun(parts: RunParts): TransferRun {
  const { record, sharer, channel, begin, renew, limitsChanged, shareChanged, release } = parts
  let stopped: StopReason | undefined
  let isPaused = false
  const task = begin({ progress: (progress) => (stopped === undefined ? record.note(progress) : undefined) })
  const setPaused = (wanted: boolean): void => {
    if (wanted === isPaused) return
    isPaused = wanted
    task.setPaused(wanted)
  }
  const stop = (reason: StopReason): void => {
    if (stopped !== undefined) return
    stopped = reason
    if (reason === 'cancelled' || reason === 'revoked') task.cancel()
    else channel.close(GIVEN_UP, reason)
  }
  const settled = task.result.then(
    (result) => noteResult(record, result),
    (error: unknown) => noteFailure(record, { error, stopped }),
  )
  const over = settled.then(() => release(stopped))
  return {
    ...{ record, sharer, renew },
    get isPaused() {
      return isPaused
    },
    setPaused,
    changed(row) {
      limitsChanged(row)
      record.changed(row)
    },
    setShare(share) {
      shareChanged(share)
      record.late(share.lateMs)
    },
    stop,
    over,
  }
}

async function noteResult(record: TransferRecord, { files, bytes, failures }: TransferResult): Promise<void> {
  await record.failed(failures)
  const counts = { files_done: files, bytes, bytes_done: bytes, failures: failures.length, bytes_per_second: 0 }
  return record.happened(failures.length === 0 ? 'done' : 'done-with-failures', counts)
}

interface Failure {
  readonly error: unknown
  readonly stopped: StopReason | undefined
}

async function noteFailure(record: TransferRecord, { error, stopped }: Failure): Promise<void> {
  // Its successor writes down how it goes on; what was cancelled is written down already.
  if (stopped === 'replaced' || stopped === 'cancelled') return
  const rest = { bytes_per_second: 0, network_path: '', path_reason: '', bottleneck: '', bottleneck_figures: '' }
  if (stopped === 'revoked') return record.happened('fail', { ...rest, error: REFUSED })
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'INTERNAL'
  // Whoever stops a client goes on later with the same ticket.
  const isLost = stopped === 'stopping' || ['PEER_LOST', 'CANCELLED', 'PEER_REFUSED'].includes(code)
  return record.happened(isLost ? 'lost' : 'fail', { ...rest, error: isLost ? '' : code.slice(0, 64) })
}
