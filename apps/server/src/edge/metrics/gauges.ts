import { Gauge, type Registry } from 'prom-client'
import { PRODUCT_VERSION } from '../../foundation/settings/index.ts'
import { listStorages, type RunningStorages } from '../../foundation/storages/index.ts'
import type { Database, Db } from '../../kernel/db/index.ts'
import { listSubscribers } from '../../kernel/events/index.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { countJobs } from '../../kernel/queue/index.ts'

export interface GaugesDeps {
  readonly db: Db
  readonly database: Pick<Database, 'pool'>
  /** The data folder. */
  readonly data: string
  readonly storages: Pick<RunningStorages, 'withId'>
  readonly metrics: Metrics
}

/** What is looked up at the moment somebody asks. */
export function collectGauges(deps: GaugesDeps): void {
  const { metrics } = deps
  const { registry } = metrics
  gauge(
    registry,
    { name: 'godwit_build_info', help: 'Version of the server; the value is always 1.', labels: ['version'] },
    (set) => set({ version: PRODUCT_VERSION }, 1),
  )
  gauge(registry, { name: 'http_open_connections', help: 'Open connections, those of sockets included.' }, (set) =>
    set({}, metrics.connections()),
  )
  collectDatabase(registry, deps)
  collectWork(registry, deps)
  collectStorages(registry, deps)
}

function collectDatabase(registry: Registry, { database: { pool } }: GaugesDeps): void {
  // SQLite has no pool.
  if (pool === undefined) return
  gauge(registry, { name: 'godwit_db_pool_connections', help: 'Connections to the database in use.' }, (set) =>
    set({}, pool.inUse),
  )
  gauge(registry, { name: 'godwit_db_pool_limit', help: 'Connections to the database at most.' }, (set) =>
    set({}, pool.limit),
  )
  gauge(
    registry,
    { name: 'godwit_db_pool_waits', help: 'Queries that waited for a connection since the start.' },
    (set) => set({}, pool.waits),
  )
}

function collectWork(registry: Registry, { db }: GaugesDeps): void {
  gauge(registry, { name: 'godwit_jobs', help: 'Jobs of all nodes by state.', labels: ['state'] }, async (set) => {
    for (const [state, count] of Object.entries(await countJobs(db))) set({ state }, count)
  })
  gauge(
    registry,
    { name: 'godwit_events_behind', help: 'Events that a subscriber has not handled yet.', labels: ['subscriber'] },
    async (set) => {
      for (const { name, behind } of await listSubscribers(db)) set({ subscriber: name }, behind)
    },
  )
  gauge(
    registry,
    { name: 'godwit_events_parked', help: 'Events put aside for a subscriber.', labels: ['subscriber'] },
    async (set) => {
      for (const { name, parked } of await listSubscribers(db)) set({ subscriber: name }, parked)
    },
  )
}

function collectStorages(registry: Registry, deps: GaugesDeps): void {
  gauge(
    registry,
    { name: 'godwit_storage_up', help: 'Whether a storage works: 1 or 0.', labels: ['storage'] },
    async (set) => {
      for (const { name, error } of await listStorages(deps)) set({ storage: name }, error === '' ? 1 : 0)
    },
  )
  const room = (name: string, help: string, field: 'freeBytes' | 'totalBytes') =>
    gauge(registry, { name, help, labels: ['storage'] }, async (set) => {
      for (const storage of await listStorages(deps)) {
        const bytes = storage.error === '' ? (await roomOf(deps, storage.id))?.[field] : undefined
        if (bytes !== undefined && bytes !== null) set({ storage: storage.name }, bytes)
      }
    })
  room('godwit_storage_free_bytes', 'Room that is left on a storage.', 'freeBytes')
  room('godwit_storage_size_bytes', 'Room of a storage altogether.', 'totalBytes')
}

async function roomOf({ storages }: GaugesDeps, id: number) {
  // One that does not answer has no figure here; `godwit_storage_up` reports it.
  return storages
    .withId(id)
    ?.space()
    .catch(() => undefined)
}

type SetValue = (labels: Readonly<Record<string, string>>, value: number) => void

interface GaugeSpec {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

function gauge(
  registry: Registry,
  { name, help, labels = [] }: GaugeSpec,
  collect: (set: SetValue) => Promise<void> | void,
): void {
  void new Gauge({
    ...{ name, help, labelNames: [...labels], registers: [registry] },
    async collect() {
      // What is gone since the last look is not reported any more.
      this.reset()
      await collect((of, value) => this.set({ ...of }, value))
    },
  })
}
