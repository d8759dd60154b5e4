import { canPause, type TransferAction, type TransferPriority } from '@godwit/contract'
import type { TransferHistory } from './transfer-history.ts'
import type { TransferRuns } from './transfer-runs.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import { dropUploadsOf } from '../../content/intake/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { isConnected } from './transfers.machine.ts'
import { kbpsOf } from './transfers.present.ts'
import type { TransferRow } from './transfers.schema.ts'
import { applyEvent, changeLimits, dropParts, type TransferLimits } from './transfers.service.ts'

export interface ControlDeps extends TransfersDeps {
  readonly runs: TransferRuns
  readonly history: TransferHistory
}

/** @returns the row after it; one that is over stays as it is */
export async function controlTransfer(deps: ControlDeps, before: TransferRow, action: TransferAction) {
  const { id } = before
  // Another program is not told to wait.
  if (action !== 'cancel' && !canPause(before)) return before
  const change = action === 'cancel' ? { bytes_per_second: 0 } : { is_paused: action === 'pause' ? 1 : 0 }
  const row = await applyEvent(deps, { id, event: action, change })
  if (before.door !== 'transfer') {
    if (action === 'cancel') await stopMoving(deps, row)
    return row
  }
  await deps.runs.recheckOne(id)
  // Of a connected one the parts are given up when its files are closed.
  if (action === 'cancel' && !isConnected(before.state)) {
    await deps.runs.ended(id)
    await dropParts(deps, before)
  }
  return row
}

/** What a page or another program still moves ends; files that are complete stay. */
async function stopMoving(
  { history, intake }: ControlDeps,
  { id, user_id: userId, state }: TransferRow,
): Promise<void> {
  if (state !== 'cancelled') return
  history.stop(id)
  await dropUploadsOf(intake, userId, id)
}

/** What people and administrators say about how a transfer shares the line; what they leave out stays. */
interface WantedLimits {
  readonly rateMbps?: number | undefined
  readonly ceilingMbps?: number | undefined
  readonly priority?: TransferPriority | undefined
  readonly deadline?: number | null | undefined
}

/** @throws AppError TRANSFER_DEADLINE_PAST */
export function limitsOf(
  { clock }: Pick<ControlDeps, 'clock'>,
  { rateMbps, ceilingMbps, priority, deadline }: WantedLimits,
): TransferLimits {
  if (typeof deadline === 'number' && deadline <= clock.now()) throw new AppError('TRANSFER_DEADLINE_PAST')
  return {
    ...(deadline === undefined ? {} : { deadline: deadline ?? 0, late_ms: 0 }),
    ...(rateMbps === undefined ? {} : { rate_kbps: kbpsOf(rateMbps) }),
    ...(ceilingMbps === undefined ? {} : { ceiling_kbps: kbpsOf(ceilingMbps) }),
    ...(priority === undefined ? {} : { priority }),
  }
}

/** Holds at once for a transfer that is connected. */
export async function limitTransfer(deps: ControlDeps, id: string, limits: TransferLimits): Promise<TransferRow> {
  const row = await changeLimits(deps, id, limits)
  if (row.door !== 'transfer') return row
  await deps.runs.recheckOne(id)
  return row
}
