import { overlapIn, type AccountSpeed, type FileRules } from '@godwit/contract'
import { patternFault } from '../../content/access/index.ts'
import { addressFault } from '../../identity/users/index.ts'
import { AppError } from '../../kernel/errors.ts'

/** @throws AppError PARAMETER_INVALID for a pattern that cannot be used */
export function rulesText(rules: FileRules | undefined): string | null {
  if (rules === undefined) return null
  for (const field of ['forbiddenPaths', 'allowedPaths'] as const) {
    const rule = rules[field].map(patternFault).find((fault) => fault !== undefined)
    if (rule !== undefined) throw new AppError('PARAMETER_INVALID', { field: `rules.${field}`, rule })
  }
  const { uploadNewOnly, ...lists } = rules
  return uploadNewOnly || Object.values(lists).some((list) => list.length > 0) ? JSON.stringify(rules) : null
}

/** @throws AppError TIME_RANGE_INVALID */
export function requirePeriod(from: number | null, until: number | null): void {
  if (from !== null && until !== null && until <= from) throw new AppError('TIME_RANGE_INVALID')
}

/** @throws AppError TIME_RANGE_INVALID for a period that does not end after its start, SPEED_PERIODS_OVERLAP */
export function speedText(speed: AccountSpeed | undefined): string | null {
  if (speed === undefined) return null
  // As `HH:MM` the later time is the greater text.
  if (speed.periods.some(({ start, end }) => end <= start)) throw new AppError('TIME_RANGE_INVALID')
  const overlap = overlapIn(speed.periods)
  if (overlap !== undefined) {
    const [first, second] = overlap
    throw new AppError('SPEED_PERIODS_OVERLAP', { field: 'speed.periods', first: first + 1, second: second + 1 })
  }
  const isLimited = speed.uploadMbps > 0 || speed.downloadMbps > 0 || speed.periods.length > 0
  return isLimited ? JSON.stringify(speed) : null
}

/** @throws AppError PARAMETER_INVALID with the entry that cannot be used */
export function requireAddresses(list: string, field: string): void {
  const entry = addressFault(list)
  if (entry !== undefined) throw new AppError('PARAMETER_INVALID', { field, entry })
}
