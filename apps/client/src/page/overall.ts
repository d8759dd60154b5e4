import type { OverallState } from '@godwit/contract'

export interface OverallFacts {
  readonly items: ReadonlyArray<{ readonly state: string; readonly error: string }>
  readonly accounts: ReadonlyArray<{ readonly isConnected: boolean }>
  readonly isPaused: boolean
}

/** How the client stands as a whole. The worst state wins, but one held transfer says nothing about the others. */
export function overallState({ items, accounts, isPaused }: OverallFacts): OverallState {
  const has = (...states: readonly string[]): boolean => items.some(({ state }) => states.includes(state))
  if (has('failed', 'partial')) return 'error'
  if (accounts.length === 0 || accounts.some(({ isConnected }) => !isConnected)) return 'offline'
  if (has('asking')) return 'asking'
  if (isPaused) return 'paused'
  if (has('running', 'waiting')) return 'active'
  return has('paused') ? 'paused' : 'idle'
}
