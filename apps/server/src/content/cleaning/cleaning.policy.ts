import type { CleaningBasis } from '@godwit/contract'

const DAY_MS = 24 * 3_600_000

export interface CleaningRule {
  readonly basis: CleaningBasis
  readonly days: number
  /** When the rule was made. */
  readonly since: number
}

export interface Age {
  readonly modifiedMs: number
  /** The last time that it, or a folder above it, was opened or came to be there; 0: not known. */
  readonly openedMs: number
}

/**
 * Whether a file is older than its storage keeps files. By access the later of change and opening counts; before the rule was made
 * nobody may have looked, so that a file has its whole age from then on. A time in the future is no age.
 */
export function isDue({ basis, days, since }: CleaningRule, { modifiedMs, openedMs }: Age, now: number): boolean {
  const last = basis === 'modified' ? modifiedMs : Math.max(modifiedMs, openedMs, since)
  return now - last > days * DAY_MS
}
