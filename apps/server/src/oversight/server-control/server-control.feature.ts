import { serverControlRoutes, type ConfigKeyInForce, type ServerStatus } from '@godwit/contract'
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
import type { Storages } from '../../foundation/storages/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { defineFeature, type Check, type Feature } from '../../kernel/feature.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { shownConfig, type Config, type LoadedConfig } from '../../kernel/config/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { examine, type DoctorDeps } from '../maintenance/index.ts'
import { paceEndpoint, probeEndpoint } from './probe.ts'

/** Each of them asks storages and the database. */
const EXAMINATIONS = { name: 'server.doctor', calls: 12, periodMs: 60_000 } as const
const THING = { kind: 'server', id: '', name: '' } as const

export interface ServerControlDeps {
  readonly storages: Storages
  /** Where each key of the configuration came from; left out: unknown, as for the defaults. */
  readonly sources?: LoadedConfig['sources'] | undefined
}

/** Pause, restart and shutdown by an administrator. What follows from them is in the features that ask for the state. */
export function serverControlFeature(kernel: Kernel, { storages, sources }: ServerControlDeps): Feature {
  const { db, clock, random, bus } = kernel
  const log = { db, clock }
  const examinations = kernel.limits.callLimit(EXAMINATIONS)
  let checks: readonly Check[] = []
  const doctor: DoctorDeps = {
    ...{ config: kernel.config, clock, random, isInstalled: true, isRunning: true },
    withDatabase: (work) => work(kernel.database),
    withStorages: (work) => work(storages),
    withChecks: (work) => work(checks),
  }

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
    start: (all) => {
      checks = all.checks
      return Promise.resolve()
    },
    raw: [probeEndpoint(), paceEndpoint()],
    endpoints: [
      endpoint(serverControlRoutes.status, status),
      endpoint(serverControlRoutes.config, () => Promise.resolve({ keys: configKeys(kernel.config, sources) })),
      endpoint(serverControlRoutes.doctor, async ({ locale, principal }) => {
        await examinations.take(principal.id)
        return { findings: await examine(doctor, locale) }
      }),
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

function configKeys(config: Config, sources: LoadedConfig['sources'] | undefined): ConfigKeyInForce[] {
  return shownConfig(config, sources).map(({ environment, value, source }) => ({
    ...{ variable: environment, source },
    value: Array.isArray(value) ? value.join(', ') : String(value),
  }))
}
