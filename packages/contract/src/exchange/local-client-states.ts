/** How long everything rests; always: until somebody resumes it. */
export const LOCAL_PAUSES = ['half-hour', 'hour', 'tomorrow', 'always'] as const
export type LocalPause = (typeof LOCAL_PAUSES)[number]

/**
 * How the client stands, the worst first:
 * - error: something failed and nobody has looked after it
 * - offline: a server cannot be reached, or nobody is signed in
 * - paused: everything rests, or all that is left is held
 * - active: transfers run or wait for their turn
 * - idle: nothing is to be done
 */
export const OVERALL_STATES = ['error', 'offline', 'paused', 'active', 'idle'] as const
export type OverallState = (typeof OVERALL_STATES)[number]
