import os from 'node:os'
import { randomHex } from '@godwit/base'
import { dashboardRoutes, SAMPLE_EVERY_MS } from '@godwit/contract'
import type { Mailer } from '../../foundation/mail/index.ts'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import { PRODUCT_VERSION } from '../../foundation/settings/index.ts'
import type { RunningStorages } from '../../foundation/storages/index.ts'
import { mayIn } from '../../identity/administrators/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { defineFeature, type Check, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { openMachine } from '../../kernel/machine.ts'
import type { Watch } from '../../kernel/push.ts'
import type { Backups } from '../backups/index.ts'
import { dismissChecklist, readChecklist } from './checklist.service.ts'
import { createDashboard } from './dashboard.service.ts'
import { failedJobsPage, parkedEventsPage, rerunJobs, retryEvents } from './operations.service.ts'
import { createSamples, type SampledNode } from './samples.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** A node took a sample of itself; every one of them does so every five seconds. */
    readonly 'node.sampled': SampledNode
  }
}

export interface DashboardFeatureDeps {
  readonly storages: RunningStorages
  readonly mailer: Mailer
  readonly backups: Backups
}

const MINUTE_MS = 60_000

/** How the server is: samples of all nodes, what it needs, what failed; pages that follow it are notified of each sample. */
export function dashboardFeature(kernel: Kernel, deps: DashboardFeatureDeps): Feature {
  const { config, db, clock, bus, queue, random, metrics } = kernel
  const samples = createSamples()
  const machine = openMachine(clock)
  const node = { id: randomHex(random, 8), startedAt: clock.now(), ...describeNode() }
  let checks: readonly Check[] = []
  const idleMs = config['security.idleMinutes'] * MINUTE_MS
  const backups = () => deps.backups.summary()
  const common = { ...deps, db, clock, backups, data: config.data }
  const now = createDashboard({ ...common, samples, idleMs, checks: () => checks })
  const checklist = { ...common, publicUrl: config.publicUrl }
  const log = { db, clock }
  const operations = { db, queue }
  const takeSample = (): void => {
    const sample = { at: clock.now(), ...machine.read(), connections: metrics.connections() }
    bus.publish('node.sampled', { ...node, sample })
  }
  const end = bus.subscribe('node.sampled', (sampled) => samples.add(sampled))
  return defineFeature({
    name: 'dashboard',
    endpoints: [
      endpoint(dashboardRoutes.now, (ctx, { query }) => now(ctx, query)),
      endpoint(dashboardRoutes.failedJobs, ({ locale }, { query }) => failedJobsPage(operations, locale, query)),
      endpoint(dashboardRoutes.parkedEvents, (_ctx, { query }) => parkedEventsPage(operations, query)),
      endpoint(dashboardRoutes.checklist, ({ principal }) => readChecklist(checklist, principal.id)),
      loggedEndpoint(log, dashboardRoutes.dismissChecklist, async ({ principal }, { body }) => {
        await dismissChecklist(checklist, principal.id, body.isDismissed)
        return readChecklist(checklist, principal.id)
      }),
      loggedEndpoint(log, dashboardRoutes.rerunJobs, async (_ctx, { body }) => ({
        rerun: await rerunJobs(operations, body.jobIds),
      })),
      loggedEndpoint(log, dashboardRoutes.retryEvents, async (_ctx, { body }) => ({
        retried: await retryEvents(operations, body.events),
      })),
    ],
    watches: [dashboardWatch(bus, node.id)],
    every: [{ name: 'sample', everyMs: SAMPLE_EVERY_MS, work: () => Promise.resolve(takeSample()) }],
    async start(all) {
      checks = all.checks
      takeSample()
      await Promise.resolve()
    },
    stop: () => Promise.resolve(end()),
  })
}

function describeNode() {
  return {
    host: os.hostname(),
    version: PRODUCT_VERSION,
    runtime: `Node ${process.versions.node}`,
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    processors: os.availableParallelism(),
  }
}

/** Follows the samples of this node: one message for each, however many nodes there are. */
function dashboardWatch(bus: Bus, nodeId: string): Watch<'dashboard.changed'> {
  return {
    name: 'dashboard.changed',
    async open({ principal }, _target, notify) {
      if (!mayIn(accountOf(principal).standing, 'statistics.view', {}))
        throw new AppError('PERMISSION_DENIED', { right: 'statistics.view' })
      return Promise.resolve(bus.subscribe('node.sampled', ({ id }) => id === nodeId && notify()))
    },
  }
}
