import { LINK_STATUS, type LinkChange } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { readersOf } from './link-audience.ts'
import type { LinksDeps } from './links.deps.ts'
import { linkIdIn } from './links.policy.ts'
import { historyStore } from './link-history.store.ts'
import type { Link, LinkRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

/** @throws AppError LINK_NOT_FOUND when one of them is unknown or somebody else's, which look the same */
export async function requireOwn(
  { db }: Pick<LinksDeps, 'db'>,
  { principal }: Pick<UserCtx, 'principal'>,
  addresses: readonly string[],
): Promise<Link[]> {
  const ids = [...new Set(addresses.map((address) => linkIdIn(address) ?? ''))]
  const rows = await linksStore.ofOwner(db, principal.id, ids)
  if (rows.length !== ids.length) throw new AppError('LINK_NOT_FOUND')
  return rows
}

/** Notes and emits what became of a link, within the transaction of the change. */
export async function recordChange(
  { outbox, clock }: Pick<LinksDeps, 'outbox' | 'clock'>,
  tx: Tx,
  { row, change, by }: { readonly row: LinkRow; readonly change: LinkChange; readonly by: string },
): Promise<void> {
  const { id: linkId, owner_id: userId, url_type: urlType } = row
  const at = clock.now()
  // What is removed takes its history along.
  if (change !== 'removed') await historyStore.add(tx, { link_id: linkId, change_kind: change, by_id: by, at })
  await outbox.add(tx, 'link.changed', { linkId, userId, urlType, change, by, at })
}

/** What a change of links is given. */
export type ChangeDeps = Pick<LinksDeps, 'db' | 'clock' | 'outbox' | 'bus'>

export interface Changing {
  readonly rows: readonly LinkRow[]
  readonly change: LinkChange
  readonly by: string
  /** What else belongs to the transaction, at its end. */
  readonly record?: ((tx: Tx) => Promise<void>) | undefined
}

/** Changes links, and ends their visits where the change asks for it; running transfers stop at once on every node. */
async function applyChange(deps: ChangeDeps, changing: Changing, work: (tx: Tx) => Promise<void>): Promise<void> {
  const { rows, change, by, record } = changing
  const readers = new Set<string>()
  await inTransaction(deps.db, async (tx) => {
    for (const row of rows) for (const id of await readersOf(tx, row)) readers.add(id)
    await work(tx)
    for (const row of rows) await recordChange(deps, tx, { row, change, by })
    await record?.(tx)
  })
  deps.outbox.nudge()
  for (const { id: linkId } of rows) deps.bus.publish('link.changed', { linkId })
  for (const userId of readers) deps.bus.publish('links.received', { userId })
}

const idsOf = (rows: readonly LinkRow[]): string[] => rows.map(({ id }) => id)

/** What owners, and those who run the installation, may do to links. */
export interface ManagedChange extends Changing {
  readonly change: 'canceled' | 'enabled' | 'removed' | 'unbound'
}

/** Whether a change would do anything to a link. */
export function needsChange({ status, bind_device: device }: LinkRow, change: ManagedChange['change']): boolean {
  if (change === 'enabled') return status === LINK_STATUS.canceled
  if (change === 'canceled') return status !== LINK_STATUS.canceled
  return change === 'removed' || device !== ''
}

/**
 * Disables links, whose visits are over then; puts disabled ones back into use, or as expired when their time is over meanwhile;
 * lets another device be the first one, while visits of the device before are over; or forgets links with their visits and records.
 */
export async function changeLinks(deps: ChangeDeps, wanted: ManagedChange): Promise<void> {
  const { change } = wanted
  const rows = change === 'enabled' ? wanted.rows.filter((row) => needsChange(row, change)) : wanted.rows
  if (rows.length === 0) return
  await applyChange(deps, { ...wanted, rows }, async (tx) => {
    if (change === 'removed') return linksStore.remove(tx, idsOf(rows))
    if (change === 'unbound') await linksStore.changeAll(tx, idsOf(rows), { bind_device: '' })
    else {
      const status = change === 'enabled' ? LINK_STATUS.normal : LINK_STATUS.canceled
      await linksStore.changeAll(tx, idsOf(rows), { status })
    }
    if (change !== 'enabled') await visitsStore.endAllOf(tx, idsOf(rows), deps.clock.now())
  })
}

/** The same by their owner. @throws AppError LINK_NOT_FOUND */
export async function changeOwnLinks(
  deps: LinksDeps,
  ctx: UserCtx,
  { addresses, change }: { readonly addresses: readonly string[]; readonly change: ManagedChange['change'] },
): Promise<void> {
  await changeLinks(deps, { rows: await requireOwn(deps, ctx, addresses), change, by: ctx.principal.id })
}

/** Rows of one sweep; the next one takes the rest. */
const SWEEP_ROWS = 1_000
/** Visits are kept so long after their end, for uploads that they began. */
const VISITS_KEPT_MS = 8 * 24 * 3_600_000

/** Notes which links are over, and forgets old visits. @returns how many links expired */
export async function sweepLinks(deps: ChangeDeps): Promise<number> {
  const now = deps.clock.now()
  const ids = await linksStore.expired(deps.db, now, SWEEP_ROWS)
  const rows = (await Promise.all(ids.map((id) => linksStore.byId(deps.db, id)))).filter((row) => row !== undefined)
  if (rows.length > 0)
    await applyChange(deps, { rows, change: 'expired', by: '' }, (tx) => linksStore.expire(tx, idsOf(rows)))
  await visitsStore.forget(deps.db, now - VISITS_KEPT_MS, SWEEP_ROWS)
  return rows.length
}
