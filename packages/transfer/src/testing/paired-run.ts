import type { TransferProgress, TransferResult } from '../engines/engine.types.ts'
import { receiveFiles } from '../engines/receive-engine.ts'
import { sendFiles } from '../engines/send-engine.ts'
import type { ReceiveRequest } from '../engines/receive.types.ts'
import type { SendRequest } from '../engines/send.types.ts'
import type { Verdict } from '../messages/messages.ts'
import type { Source } from '../sources/source.ts'
import type { Target } from '../targets/target.ts'
import { channelPair, type MemoryChannel } from './channel-pair.ts'

export interface PairedRun {
  readonly sent: PromiseSettledResult<TransferResult>
  readonly received: PromiseSettledResult<TransferResult>
  /** File bytes that crossed. */
  readonly bodyBytes: number
  /** The last progress of each side. */
  readonly shown: { near?: TransferProgress; far?: TransferProgress }
  /** Verdicts that the sender received, by path. */
  readonly verdicts: ReadonlyMap<string, Verdict>
}

export interface PairedSides {
  readonly source: Source
  readonly target: Target
  readonly request?: Partial<SendRequest>
  readonly receiving?: ReceiveRequest
  /** Called after each piece of file bytes that has crossed; may cut. */
  readonly onBody?: (channel: MemoryChannel) => void
  /** How long each answer of the receiver is on its way. */
  readonly answerMs?: number
}

/** One transfer between two engines over a channel in memory. */
export async function runPair({
  source,
  target,
  request,
  receiving: wanted = {},
  onBody,
  answerMs = 0,
}: PairedSides): Promise<PairedRun> {
  const [near, far] = channelPair()
  near.onBody = () => onBody?.(near)
  far.latencyMs = answerMs
  const nowMs = (): number => performance.now()
  const shown: { near?: TransferProgress; far?: TransferProgress } = {}
  const verdicts = new Map<string, Verdict>()
  const receiving = receiveFiles(
    { channel: far, target, nowMs, events: { progress: (progress) => (shown.far = progress) } },
    wanted,
  )
  const events = {
    progress: (progress: TransferProgress) => (shown.near = progress),
    verdict: (path: string, verdict: Verdict) => verdicts.set(path, verdict),
  }
  const sending = sendFiles(
    { channel: near, source, nowMs, events },
    { taskId: new Uint8Array(16).fill(1), hash: 'blake3', ...request },
  )
  const [sent, received] = await Promise.allSettled([sending.result, receiving.result])
  await receiving.yieldTo()
  return { sent, received, bodyBytes: near.bodyBytes, shown, verdicts }
}

export function valueOf(result: PromiseSettledResult<TransferResult>): TransferResult {
  if (result.status === 'rejected') throw result.reason
  return result.value
}
