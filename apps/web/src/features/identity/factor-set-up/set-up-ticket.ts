import { ApiError } from '@godwit/contract/wire/api-error'
import { isFailure } from '../../../lib/http.ts'

/** What sets a second factor up, when this is why somebody was not signed in. */
export function setUpTicket(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !isFailure(error, 'SECOND_FACTOR_SETUP_REQUIRED')) return undefined
  const { setUp } = error.data
  return typeof setUp === 'string' ? setUp : undefined
}
