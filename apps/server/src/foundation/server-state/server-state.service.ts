import type { Clock } from '@godwit/base'
import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { ServerStateTable } from './server-state.schema.ts'
import { serverStateStore } from './server-state.store.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** Somebody paused or resumed the server, or ordered it to stop. */
    readonly 'server.ordered': Readonly<Record<string, never>>
  }
}

/** How a server ends by order of a person. */
export type StopOrder = Exclude<ServerStateTable['order_kind'], ''>

/** What features ask before they let something new begin. */
export interface ServerState {
  /** Unix milliseconds since when it is paused; undefined while it takes everything. At most a second old. */
  pausedAt(): number | undefined
  /** @throws AppError SERVER_PAUSED */
  requireOpen(): void
}

export interface ServerStateDeps {
  readonly db: Db
}

export interface WatchedState extends ServerState {
  /** Reads it anew. @returns an order that came since this process began */
  refresh(): Promise<StopOrder | undefined>
}

/** Keeps the state at hand, so that asking for it costs nothing. */
export function watchServerState({ db }: ServerStateDeps): WatchedState {
  let row: ServerStateTable | undefined
  /** The one that the process before this one may have ended by. */
  let knownOrder: string | undefined
  const pausedAt = (): number | undefined => row?.paused_at ?? undefined
  return {
    pausedAt,
    requireOpen() {
      if (pausedAt() !== undefined) throw new AppError('SERVER_PAUSED')
    },
    async refresh() {
      row = await serverStateStore.read(db)
      knownOrder ??= row.order_id
      return row.order_id === knownOrder || row.order_kind === '' ? undefined : row.order_kind
    },
  }
}

export interface ServerOrdersDeps {
  readonly dialect: DialectName
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Ids
}

/** Sets whether anything new may begin. @returns since when it is paused; null: it is not */
export async function setPaused(
  { dialect, clock }: ServerOrdersDeps,
  tx: Tx,
  isPaused: boolean,
): Promise<number | null> {
  const { paused_at: before } = await serverStateStore.read(tx)
  if (isPaused === (before !== null)) return before
  const pausedAt = isPaused ? clock.now() : null
  await serverStateStore.change(tx, dialect, { paused_at: pausedAt })
  return pausedAt
}

/** Every running process of the installation takes it up within a second. */
export async function orderStop({ dialect, ids }: ServerOrdersDeps, tx: Tx, kind: StopOrder): Promise<void> {
  await serverStateStore.change(tx, dialect, { order_id: ids.next(), order_kind: kind })
}

/** Spares the other processes the wait for their next look. */
export function announceOrder(bus: Bus): void {
  bus.publish('server.ordered', {})
}
