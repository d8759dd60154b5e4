import type { Clock } from '@godwit/base'
import type { ErrorName, SpaceMoveProgress } from '@godwit/contract'
import { otherNodes } from '../../foundation/installation/index.ts'
import {
  announceOrder,
  orderStop,
  serverStateStore,
  setPaused,
  type ServerOrdersDeps,
} from '../../foundation/server-state/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { TryLater } from '../../kernel/queue/index.ts'
import { siteBlocker } from './blockers.ts'
import type { SpaceMoveRow } from './space-moves.schema.ts'
import { spaceMovesStore } from './space-moves.store.ts'

export interface OrderDeps extends ServerOrdersDeps {
  readonly db: Db
  readonly clock: Clock
  readonly bus: Bus
}

type Mine = Pick<SpaceMoveRow, 'space_id' | 'job_id'>

/** Until what is under way is looked at again. */
const LOOK_MS = 500
/** A server that takes nothing new has ended what it can by then. */
const WAIT_MS = 10 * 60_000

/**
 * Pauses the server until jobs and events are through, and has it start anew: places are switched while nothing runs, see
 * {@link import('./space-switch.ts').finishSpaceSwitches}. The order and the restart commit together.
 * @throws AppError SPACE_MOVE_OTHER_NODES, SPACE_MOVE_WAITS when it takes too long, or somebody resumed the server; TryLater
 */
export async function orderSwitch(
  deps: OrderDeps,
  mine: Mine,
  progress: SpaceMoveProgress,
): Promise<SpaceMoveProgress> {
  const { db, clock, bus } = deps
  if (await otherNodes(deps)) throw new AppError('SPACE_MOVE_OTHER_NODES')
  const row = await spaceMovesStore.of(db, mine.space_id)
  await pause(deps, mine, row)
  if ((await siteBlocker(db)) !== undefined) {
    if (clock.now() - Number(row?.started_at ?? 0) > WAIT_MS) throw new AppError('SPACE_MOVE_WAITS')
    throw new TryLater(LOOK_MS)
  }
  await inTransaction(db, async (tx) => {
    if (await spaceMovesStore.changeWorking(tx, mine, { state: 'ordered', changed_at: clock.now() }))
      await orderStop(deps, tx, 'restart')
  })
  announceOrder(bus)
  return progress
}

async function pause(deps: OrderDeps, mine: Mine, row: SpaceMoveRow | undefined): Promise<void> {
  const isPaused = (await serverStateStore.read(deps.db)).paused_at !== null
  if (isPaused) return
  if (row?.paused_server === 1) throw new AppError('SPACE_MOVE_WAITS')
  await inTransaction(deps.db, async (tx) => {
    if (!(await spaceMovesStore.changeWorking(tx, mine, { paused_server: 1 }))) return
    await setPaused(deps, tx, true)
  })
  announceOrder(deps.bus)
}

/** Ends a switch that was not ordered; the server takes everything again if the switch had paused it. */
export async function giveUpSwitch(deps: OrderDeps, mine: Mine, error: ErrorName): Promise<void> {
  const { db, clock, bus } = deps
  const row = await spaceMovesStore.of(db, mine.space_id)
  await inTransaction(db, async (tx) => {
    if (!(await spaceMovesStore.changeWorking(tx, mine, { state: 'failed', error, changed_at: clock.now() }))) return
    if (row !== undefined) await resume(deps, tx, row)
  })
  announceOrder(bus)
}

/** Takes back the pause of a switch; one of an administrator stays. */
export async function resume(deps: ServerOrdersDeps, tx: Tx, row: SpaceMoveRow): Promise<void> {
  if (row.paused_server === 1) await setPaused(deps, tx, false)
}
