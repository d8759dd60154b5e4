import type { TransferState } from '@godwit/contract'

/** What can happen to a transfer. */
export type TransferEvent =
  | 'connected'
  | 'lost'
  | 'pause'
  | 'resume'
  | 'done'
  | 'done-with-failures'
  | 'fail'
  | 'cancel'
  | 'expire'

const OVER = {} as const
const OPEN = { connected: 'running', cancel: 'cancelled', expire: 'expired', fail: 'failed' } as const
const CONNECTED = {
  done: 'completed',
  'done-with-failures': 'partial',
  lost: 'interrupted',
  fail: 'failed',
  cancel: 'cancelled',
  connected: 'running',
} as const

/** States and what leads out of them; an event without a line changes nothing. */
const NEXT: Readonly<Record<TransferState, Readonly<Partial<Record<TransferEvent, TransferState>>>>> = {
  waiting: OPEN,
  running: { ...CONNECTED, pause: 'paused' },
  paused: { ...CONNECTED, resume: 'running' },
  interrupted: OPEN,
  /** The ticket of a transfer with failed files sends them again. */
  partial: OPEN,
  completed: OVER,
  failed: OVER,
  cancelled: OVER,
  expired: OVER,
}

/** @returns undefined where the event changes nothing */
export function nextState(state: TransferState, event: TransferEvent): TransferState | undefined {
  return NEXT[state][event]
}

/** Whether a ticket still opens it. */
export function isOpen(state: TransferState): boolean {
  return nextState(state, 'connected') !== undefined
}

export function isConnected(state: TransferState): boolean {
  return state === 'running' || state === 'paused'
}

/** Nothing happens any more by itself. */
export function isOver(state: TransferState): boolean {
  return !isConnected(state) && state !== 'waiting' && state !== 'interrupted'
}

export const CONNECTED_STATES = ['running', 'paused'] as const satisfies readonly TransferState[]
/** Those that end by themselves when their time is over. */
export const RESTING_STATES = ['waiting', 'interrupted'] as const satisfies readonly TransferState[]
/** Those that a person would call under way. */
export const LIVE_STATES = [...CONNECTED_STATES, ...RESTING_STATES] as const
