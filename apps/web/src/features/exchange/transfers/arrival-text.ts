import type { TransferView } from '@godwit/contract'
import { LIVE_TRANSFER_STATES } from '@godwit/contract/exchange/transfer-states'
import { formatDuration, formatMinute } from '../../../lib/formats.ts'
import type { Texts } from '../../../lib/texts.tsx'

const MINUTE_MS = 60_000
/** Beyond that it does not move, and a number would only say how little is known. */
const MOST_MS = 7 * 24 * 60 * MINUTE_MS

/** When a transfer is to arrive, and by how much it comes too late; '' without a deadline. */
export function arrivalText(
  { deadline, lateMs, state }: Pick<TransferView, 'deadline' | 'lateMs' | 'state'>,
  texts: Texts,
): string {
  if (deadline === null) return ''
  const isLive = LIVE_TRANSFER_STATES.some((live) => live === state)
  // An estimate in minutes: seconds would only flicker.
  const seconds = lateMs < 2 * MINUTE_MS ? lateMs / 1000 : Math.round(lateMs / MINUTE_MS) * 60
  const duration = formatDuration(seconds, texts.locale)
  if (isLive && lateMs > MOST_MS) return texts('transfers.deadline.far')
  if (lateMs > 0) return texts(isLive ? 'transfers.deadline.late' : 'transfers.deadline.was-late', { duration })
  return texts('transfers.deadline.by', { time: formatMinute(deadline / 1000) })
}
