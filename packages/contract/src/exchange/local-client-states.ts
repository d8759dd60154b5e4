/** What becomes of a file that is at the target already; skip: it stays as it is, and the new one is left out. */
export const LOCAL_CHOICES = ['replace', 'keep-both', 'skip'] as const
export type LocalChoice = (typeof LOCAL_CHOICES)[number]

/** How rates are shown: in bits as lines are sold, or in bytes as files are counted; both in steps of 1000. */
export const RATE_UNITS = ['bits', 'bytes'] as const
export type RateUnit = (typeof RATE_UNITS)[number]

/** How long everything rests; always: until somebody resumes it. */
export const LOCAL_PAUSES = ['half-hour', 'hour', 'tomorrow', 'always'] as const
export type LocalPause = (typeof LOCAL_PAUSES)[number]

/**
 * How the client stands, the worst first:
 * - error: something failed and nobody has looked after it
 * - offline: a server cannot be reached, or nobody is signed in
 * - asking: a transfer waits for an answer about files that exist already
 * - paused: everything rests, or all that is left is held
 * - active: transfers run or wait for their turn
 * - idle: nothing is to be done
 */
export const OVERALL_STATES = ['error', 'offline', 'asking', 'paused', 'active', 'idle'] as const
export type OverallState = (typeof OVERALL_STATES)[number]
