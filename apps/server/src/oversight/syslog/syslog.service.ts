import type { Clock } from '@godwit/base'
import { SYSLOG_REASONS, type SyslogReason } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { deliver, type Collector } from './syslog.delivery.ts'
import { faultOf } from './syslog.reasons.ts'
import type { SyslogPositionsTable } from './syslog.schema.ts'
import { syslogMessage } from './syslog.format.ts'
import { SYSLOG_SETTINGS, SYSLOG_TRANSPORT } from './syslog.settings.ts'
import { SOURCES, type Source } from './syslog.sources.ts'
import { syslogStore } from './syslog.store.ts'

export interface SyslogDeps {
  readonly db: Db
  readonly clock: Clock
  readonly settings: Pick<Settings, 'of' | 'changedAt'>
  readonly log: Pick<Log, 'warn' | 'info'>
  /** What collectors know this server by. */
  readonly host: string
}

const BATCH = 500
const ERROR_MAX = 250

/** @returns undefined while nothing is to be sent */
export async function collectorOf({
  settings,
}: {
  readonly settings: Pick<Settings, 'of'>
}): Promise<Collector | undefined> {
  const values = await settings.of(SYSLOG_SETTINGS)
  const { 'syslog.host': host, 'syslog.port': port, 'syslog.fingerprint': fingerprint } = values
  const named = Object.entries(SYSLOG_TRANSPORT).find(([, number]) => number === values['syslog.transport'])
  const transport = named?.[0] as keyof typeof SYSLOG_TRANSPORT | undefined
  if (transport === undefined || transport === 'off' || host === '') return undefined
  return { transport, host, port, fingerprint }
}

/**
 * Sends what the logs have gained. The logs are the queue: how far a collector has them is kept, so that one that was away gets
 * everything, and after a crash some of it twice. A log begins with the change that switched sending on.
 */
export async function sendLogs(deps: SyslogDeps, signal: AbortSignal): Promise<void> {
  const collector = await collectorOf(deps)
  if (collector === undefined) {
    if ((await syslogStore.all(deps.db)).length > 0) await syslogStore.clear(deps.db)
    return
  }
  for (const source of SOURCES) await sendLog(deps, { source, collector }, signal)
}

interface Sending {
  readonly source: Source
  readonly collector: Collector
}

async function sendLog(deps: SyslogDeps, { source, collector }: Sending, signal: AbortSignal): Promise<void> {
  const { db, clock, log, host } = deps
  let { position, error } = (await syslogStore.of(db, source.log)) ?? (await begin(deps, source))
  for (;;) {
    signal.throwIfAborted()
    const { records, last } = await source.after(db, position, { limit: BATCH, now: clock.now() })
    if (records.length === 0) return
    const messages = records.map((record) => syslogMessage(record, host))
    try {
      await deliver(collector, messages, signal)
    } catch (thrown) {
      if (signal.aborted) throw thrown
      const text = reasonOf(thrown)
      if (text !== error) log.warn({ err: thrown, log: source.log }, 'the syslog collector does not take messages')
      return syslogStore.change(db, source.log, { error: text, reason: faultOf(thrown), tried_at: clock.now() })
    }
    if (error !== '') log.info({ log: source.log }, 'the syslog collector takes messages again')
    position = last
    error = ''
    const now = clock.now()
    await syslogStore.change(db, source.log, { position, error, reason: '', tried_at: now, delivered_at: now })
  }
}

async function begin({ db, clock, settings }: SyslogDeps, source: Source): Promise<SyslogPositionsTable> {
  const switchedOnAt = (await settings.changedAt(['syslog.transport', 'syslog.host'])) ?? clock.now()
  const position = await source.before(db, switchedOnAt)
  const nothingSent = { error: '', reason: '', tried_at: clock.now(), delivered_at: null }
  const row = { log: source.log, position, ...nothingSent }
  await syslogStore.insert(db, row)
  return row
}

/** Sends one message and nothing else. @throws Error saying what failed */
export async function tryCollector(
  { clock, host }: Pick<SyslogDeps, 'clock' | 'host'>,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const entry = { test: true }
  await deliver(
    collector,
    [syslogMessage({ at: clock.now(), id: 'test', isFailure: false, facts: {}, entry }, host)],
    signal,
  )
}

export interface SyslogState {
  readonly log: Source['log']
  readonly waiting: number
  readonly error: string
  readonly reason: SyslogReason | ''
  /** Unix milliseconds of the last delivery; null: none yet. */
  readonly deliveredAt: number | null
  /** Unix milliseconds of the last delivery, or try of one. */
  readonly triedAt: number
}

export async function syslogState({ db }: Pick<SyslogDeps, 'db'>): Promise<SyslogState[]> {
  const rows = await syslogStore.all(db)
  return Promise.all(
    SOURCES.flatMap((source) => {
      const row = rows.find(({ log }) => log === source.log)
      return row === undefined ? [] : [stateOf(db, source, row)]
    }),
  )
}

async function stateOf(db: Db, source: Source, row: SyslogPositionsTable): Promise<SyslogState> {
  const { position, error, reason, tried_at: triedAt, delivered_at: deliveredAt } = row
  return {
    ...{ log: source.log, error, triedAt: Number(triedAt) },
    reason: error === '' ? '' : (SYSLOG_REASONS.find((each) => each === reason) ?? 'other'),
    deliveredAt: deliveredAt === null ? null : Number(deliveredAt),
    waiting: await source.waiting(db, position),
  }
}

export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return reasonOf(thrown.errors[0])
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return (text || 'failed').slice(0, ERROR_MAX)
}
