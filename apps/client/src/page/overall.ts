import type { OverallState } from '@godwit/contract'
import type { Queue, QueueState } from '../queue/queue.ts'

export interface OverallFacts {
  /** Of all transfers, more of which there may be than a page shows. */
  readonly counts: ReturnType<Queue['counts']>
  readonly accounts: ReadonlyArray<{ readonly isConnected: boolean }>
  readonly isPaused: boolean
}

/** How the client stands as a whole. The worst state wins, but one held transfer says nothing about the others. */
export function overallState({ counts, accounts, isPaused }: OverallFacts): OverallState {
  const has = (...states: readonly QueueState[]): boolean => states.some((state) => (counts[state] ?? 0) > 0)
  if (has('failed', 'partial')) return 'error'
  if (accounts.length === 0 || accounts.some(({ isConnected }) => !isConnected)) return 'offline'
  if (has('asking')) return 'asking'
  if (isPaused) return 'paused'
  if (has('running', 'waiting')) return 'active'
  return has('paused') ? 'paused' : 'idle'
}
