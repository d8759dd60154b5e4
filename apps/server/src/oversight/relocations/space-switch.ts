import type { Clock, Random } from '@godwit/base'
import type { ErrorName } from '@godwit/contract'
import { otherNodes } from '../../foundation/installation/index.ts'
import { storageHealthCode, storagesStore, withStorages, type Storages } from '../../foundation/storages/index.ts'
import type { Config } from '../../kernel/config/index.ts'
import type { Log } from '../../kernel/context.ts'
import { openVault } from '../../kernel/crypto/index.ts'
import { inTransaction, type Database } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { timeOrderedIds } from '../../kernel/ids.ts'
import type { Locks } from '../../kernel/locks/index.ts'
import { progressOf } from './move-reports.ts'
import { movePlaces, type PlaceReport } from './relocations.service.ts'
import type { SpaceMoveRow } from './space-moves.schema.ts'
import { NO_PROGRESS } from './space-moves.service.ts'
import { spaceMovesStore } from './space-moves.store.ts'
import { resume } from './space-switch.order.ts'

export interface FinishDeps {
  readonly database: Database
  readonly bus: Bus
  readonly locks: Pick<Locks, 'run'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly config: Pick<Config, 'data' | 'storage.reserveBytes'>
}

/**
 * Carries out ordered switches before any feature runs: copies what was changed since, and puts the places on their new storage. A crash
 * leaves the order in place for the next start; a fault leaves places where they are, and is named on the page of the move.
 */
export async function finishSpaceSwitches(deps: FinishDeps): Promise<void> {
  const { config, clock, random, log } = deps
  const { db } = deps.database
  if ((await spaceMovesStore.ordered(db)).length === 0) return
  const { data, 'storage.reserveBytes': reserveBytes } = config
  const place = { data, reserveBytes, vault: () => openVault(data, random) }
  // Nodes that start at the same time wait here until the places are where they are to be.
  await deps.locks.run('space-switches', () =>
    withStorages({ ...place, db, clock, random, log }, async (storages) => {
      for (const row of await spaceMovesStore.ordered(db)) await finish(deps, row, storages)
    }),
  )
}

async function finish(deps: FinishDeps, row: SpaceMoveRow, storages: Storages): Promise<void> {
  const { database, bus, clock, random, log } = deps
  const { db, dialect } = database
  const { space_id: spaceId, to_storage: to } = row
  const signal = new AbortController().signal
  let error: ErrorName | '' = ''
  let progress = NO_PROGRESS
  try {
    if (await otherNodes({ bus, dialect })) throw new AppError('SPACE_MOVE_OTHER_NODES')
    const reports = await movePlaces({ db, clock, storages, signal }, { spaceId, to, isFinal: true })
    error = faultOf(reports)
    const switched = reports.filter(({ state }) => state === 'switched').length
    progress = {
      ...{ ...NO_PROGRESS, places: reports.length, placesDone: switched },
      ...(await progressOf(db, spaceId, reports)),
    }
    log.info({ spaceId, storage: (await storagesStore.byId(db, to))?.name, switched }, 'a space was switched')
  } catch (thrown) {
    error = thrown instanceof AppError ? thrown.code : (storageHealthCode(thrown) ?? 'INTERNAL')
    log.error({ err: thrown, spaceId }, 'a space stays where it is')
  }
  await inTransaction(db, async (tx) => {
    await spaceMovesStore.endOrdered(tx, spaceId, {
      ...{ state: error === '' ? 'done' : 'failed', error },
      ...{ progress: JSON.stringify(progress), changed_at: clock.now() },
    })
    await resume({ dialect, clock, ids: timeOrderedIds(clock, random) }, tx, row)
  })
}

function faultOf(reports: readonly PlaceReport[]): ErrorName | '' {
  if (reports.some(({ state }) => state === 'failed')) return 'FILE_CORRUPT'
  return reports.some(({ state }) => state === 'blocked') ? 'SPACE_MOVE_WAITS' : ''
}
