import { serverControlRoutes, type ServerStatus } from '@godwit/contract'
import { transfersSearch } from '../../exchange/transfers/index.ts'
import { loggedEndpoint, type RecordChange } from '../../foundation/operation-log/index.ts'
import {
  announceOrder,
  CAN_RESTART,
  orderStop,
  serverStateStore,
  setPaused,
  supervisor,
  type StopOrder,
} from '../../foundation/server-state/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'

const THING = { kind: 'server', id: '', name: '' } as const

/** Pause, restart and shutdown by an administrator. What follows from them is in the features that ask for the state. */
export function serverControlFeature(kernel: Kernel): Feature {
  const { db, clock, bus } = kernel
  const log = { db, clock }

  async function status(): Promise<ServerStatus> {
    const { paused_at: pausedAt } = await serverStateStore.read(db)
    const running = await transfersSearch.countRunning(db)
    return { pausedAt, running, supervisor: supervisor(), canRestart: CAN_RESTART }
  }

  async function pause(record: RecordChange, isPaused: boolean): Promise<ServerStatus> {
    await inTransaction(db, async (tx) => {
      const before = (await serverStateStore.read(tx)).paused_at !== null
      await setPaused(kernel, tx, isPaused)
      await record(tx, { ...THING, before: { isPaused: before }, after: { isPaused } })
    })
    announceOrder(bus)
    return status()
  }

  async function stop(record: RecordChange, kind: StopOrder): Promise<{ running: number }> {
    const running = await transfersSearch.countRunning(db)
    await inTransaction(db, async (tx) => {
      await orderStop(kernel, tx, kind)
      await record(tx, { ...THING, after: { runningTransfers: running } })
    })
    announceOrder(bus)
    return { running }
  }

  return defineFeature({
    name: 'server-control',
    endpoints: [
      endpoint(serverControlRoutes.status, status),
      loggedEndpoint(log, serverControlRoutes.pause, (_ctx, _input, record) => pause(record, true)),
      loggedEndpoint(log, serverControlRoutes.resume, (_ctx, _input, record) => pause(record, false)),
      loggedEndpoint(log, serverControlRoutes.restart, async (_ctx, _input, record) => {
        if (!CAN_RESTART) throw new AppError('OPERATION_UNSUPPORTED')
        return stop(record, 'restart')
      }),
      loggedEndpoint(log, serverControlRoutes.shutdown, (_ctx, _input, record) => stop(record, 'shutdown')),
    ],
  })
}
