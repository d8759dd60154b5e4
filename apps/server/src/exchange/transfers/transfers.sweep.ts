import { applyEvent, dropParts } from './transfers.service.ts'
import { transfersStore } from './transfers.store.ts'
import type { TransfersDeps } from './transfers.deps.ts'

/** A process that is alive touches its rows every few seconds. */
const SILENT_MS = 60_000

/** Notes what no process will note any more: lost connections of a process that died, and tickets whose time is over. */
export async function sweepTransfers(deps: Pick<TransfersDeps, 'db' | 'clock' | 'bus' | 'intake'>): Promise<void> {
  const now = deps.clock.now()
  const rest = { bytes_per_second: 0, network_path: '', path_reason: '' }
  for (const { id } of await transfersStore.silent(deps.db, now - SILENT_MS))
    await applyEvent(deps, { id, event: 'lost', change: rest })
  for (const row of await transfersStore.past(deps.db, now)) {
    const { state } = await applyEvent(deps, { id: row.id, event: 'expire' })
    if (state === 'expired') await dropParts(deps, row)
  }
}
