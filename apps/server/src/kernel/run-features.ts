import { sql } from 'kysely'
import type { Declared, Feature, Subscriptions } from './feature.ts'
import type { DurableEventType, Outbox, Subscription } from './events/index.ts'
import type { Kernel } from './kernel.ts'
import { createSchedule } from './schedule.ts'

export interface RunningFeatures {
  /** @param onStep receives the name of each step before it is taken */
  stop(onStep?: (step: string) => void): Promise<void>
}

interface Step {
  readonly name: string
  readonly take: () => Promise<void>
}

interface Host extends Pick<Kernel, 'outbox' | 'queue' | 'db' | 'log' | 'locks'> {
  /** Forgets what nodes share and nobody needs any more. */
  readonly sweep: () => Promise<void>
}

const SWEEP_MS = 10 * 60_000

/**
 * Mounts everything that the features declare, starts them in their order, and only then begins with events, jobs and
 * periodic work. When one fails to start, those before it are stopped.
 * @throws Error when two features claim the same name; whatever a start throws
 */
export async function runFeatures(host: Host, features: readonly Feature[]): Promise<RunningFeatures> {
  const { log, locks, sweep } = host
  const schedule = createSchedule({ log, onOneNode: (name, work) => locks.tryRun(`schedule:${name}`, work) })
  schedule.add({ name: 'shared-state', everyMs: SWEEP_MS, onOneNode: true, work: sweep })
  for (const { name, on, jobs, jobLane, every = [] } of features) {
    if (on !== undefined) subscribeAll(host.outbox, on)
    if (jobs !== undefined) host.queue.handle(jobs, jobLane)
    for (const periodic of every) schedule.add({ ...periodic, name: `${name}.${periodic.name}` })
  }
  const declared = declaredBy(host, features)
  const started: Step[] = []
  try {
    for (const { name, start, stop } of features) {
      await start?.(declared)
      if (stop !== undefined) started.unshift({ name, take: stop })
    }
  } catch (thrown) {
    await takeAll(started, () => undefined)
    throw thrown
  }
  await host.outbox.start()
  host.queue.start()
  schedule.start()
  const steps: readonly Step[] = [
    { name: 'periodic work', take: () => schedule.stop() },
    { name: 'jobs', take: () => host.queue.stop() },
    ...started,
    { name: 'events', take: () => host.outbox.stop() },
  ]
  return { stop: (onStep = () => undefined) => takeAll(steps, onStep) }
}

export function subscribeAll(outbox: Outbox, on: Subscriptions): void {
  for (const type of Object.keys(on) as DurableEventType[]) {
    const subscription = on[type] as Subscription<typeof type> | undefined
    if (subscription !== undefined) outbox.on(type, subscription)
  }
}

/** Every step is taken, also after one that failed. @throws what the first failing one threw */
async function takeAll(steps: readonly Step[], onStep: (step: string) => void): Promise<void> {
  const failures: unknown[] = []
  for (const { name, take } of steps) {
    onStep(name)
    await take().catch((thrown: unknown) => failures.push(thrown))
  }
  if (failures.length > 0) throw failures[0]
}

/** @throws Error when two of them claim the same name */
function declaredBy({ db }: Pick<Host, 'db'>, features: readonly Feature[]): Declared {
  const declared: Declared = {
    endpoints: features.flatMap(({ endpoints = [] }) => endpoints),
    operations: features.flatMap(({ operations = [] }) => operations),
    raw: features.flatMap(({ raw = [] }) => raw),
    push: features.flatMap(({ push = [] }) => push),
    watches: features.flatMap(({ watches = [] }) => watches),
    credentials: features.flatMap(({ credentials }) => credentials ?? []),
    admissions: features.flatMap(({ admit }) => admit ?? []),
    settings: features.flatMap(({ settings }) => settings ?? []),
    checks: [
      { name: 'database', run: async () => void (await sql`select 1`.execute(db)) },
      ...features.flatMap(({ checks = [] }) => checks),
    ],
    upgrades: features.flatMap(({ upgrades = [] }) => upgrades),
    pageAnswers: features.flatMap(({ pageAnswers = [] }) => pageAnswers),
  }
  const { endpoints, operations, raw, watches, settings, checks, upgrades } = declared
  requireDistinct({
    feature: features.map(({ name }) => name),
    // One of them may subscribe to several types under one name.
    subscriber: features.flatMap(({ on = {} }) => [...new Set(Object.values(on).map(({ subscriber }) => subscriber))]),
    route: [...endpoints, ...raw].map(({ spec }) => `${spec.method} ${spec.path}`),
    operation: operations.map(({ spec }) => spec.name),
    watch: watches.map(({ name }) => name),
    setting: settings.flatMap(({ specs }) => Object.keys(specs)),
    'prefix of credentials': declared.credentials.map(({ prefix }) => prefix),
    check: checks.map(({ name }) => name),
    'upgrade path': upgrades.map(({ path }) => path),
  })
  return declared
}

function requireDistinct(claims: Readonly<Record<string, readonly string[]>>): void {
  for (const [what, names] of Object.entries(claims)) {
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new Error(`two features claim the ${what} ${twice}`)
  }
}
