import type { Clock } from '@godwit/base'
import type { Dashboard, DashboardBackup } from '@godwit/contract'
import { usersSearch } from '../../identity/users/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { mayIn } from '../../identity/administrators/index.ts'
import { listSubscribers } from '../../kernel/events/index.ts'
import { countFailedJobs } from '../../kernel/queue/index.ts'
import type { BackupSummary } from '../backups/index.ts'
import { examineHealth, presentHealth, type HealthDeps } from './health.ts'
import type { Samples } from './samples.ts'
import { sharedLook } from './shared-look.ts'
import { presentRoom, storageRooms, type StorageRoomDeps } from './storage-room.ts'

export interface DashboardDeps extends HealthDeps, StorageRoomDeps {
  readonly db: Db
  readonly clock: Clock
  readonly samples: Samples
  readonly backups: () => Promise<BackupSummary>
  /** Without activity for so long, nobody is online. */
  readonly idleMs: number
}

/** A little less than the time between two samples, so that each of them shows a look of its own. */
const KEEP_MS = 4_000

/** @returns what answers the question how the server is, for as many pages as ask */
export function createDashboard(deps: DashboardDeps) {
  const { db, clock, samples, idleMs } = deps
  const look = sharedLook(clock, KEEP_MS, async () => ({
    online: await usersSearch.count(db, { state: 'online' }, clock.now() - idleMs),
    health: await examineHealth(deps),
    storages: await storageRooms(deps),
    failedJobs: await countFailedJobs(db),
    backup: presentBackup(await deps.backups()),
    parkedEvents: (await listSubscribers(db)).reduce((sum, { parked }) => sum + parked, 0),
  }))
  return async (
    { principal, locale }: UserCtx,
    wanted: { readonly node?: string | undefined; readonly since: number },
  ): Promise<Dashboard> => {
    const { standing } = accountOf(principal)
    const found = await look()
    const at = clock.now()
    const nodes = samples.nodes(at)
    const mayControl = mayIn(standing, 'server.control', {})
    return {
      at,
      nodes: [...nodes],
      samples: [...samples.of(wanted.node ?? nodes[0]?.id ?? '', wanted.since)],
      online: found.online,
      health: found.health.map((health) => presentHealth(health, locale)),
      storages: mayIn(standing, 'storages.view', {}) ? found.storages.map((room) => presentRoom(room, locale)) : null,
      failedJobs: mayControl ? found.failedJobs : null,
      parkedEvents: mayControl ? found.parkedEvents : null,
      backup: mayIn(standing, 'backup.run', {}) ? found.backup : null,
    }
  }
}

function presentBackup({ isOn, last, lastDoneAt }: BackupSummary): DashboardBackup {
  const { state = '', drillState = '', drilledAt = null } = last ?? {}
  return { isOn, state, lastDoneAt, drillState, drilledAt }
}
