import type { RequestArrival, RequestState } from '@godwit/contract'
import { nameOf } from '../../content/access/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import { arrivalsStore, type Bringer } from './link-arrivals.store.ts'
import { itemOf, missingItems, requestOf, requireExpected, stateOf, type WantedFile } from './link-request.policy.ts'
import type { LinksDeps } from './links.deps.ts'
import type { LinkRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { requireSealedName } from './sealed-links.policy.ts'
import { visitOf } from './visits.service.ts'
import { visitsStore } from './visits.store.ts'

const ARRIVALS_SHOWN = 200

/**
 * Whether a file is one that the link asks for now.
 * @returns the SHA-256 that it must have; '' for any
 * @throws AppError as requireExpected(), and LINK_SEALED for what no browser encrypted for an encrypted link
 */
export async function expectedOf(
  { db }: Pick<LinksDeps, 'db'>,
  { id }: GuestPrincipal,
  file: WantedFile,
): Promise<string> {
  const row = await linksStore.byId(db, id)
  if (row !== undefined) requireSealedName(row, file.name)
  const request = row && requestOf(row)
  return request == null ? '' : requireExpected(request, file)
}

/** Counts a file for the item that it is for. */
export async function noteArrival(
  { ids }: Pick<LinksDeps, 'ids'>,
  tx: Tx,
  { row, by, path, bytes, at }: Arrival,
): Promise<void> {
  const request = requestOf(row)
  if (request === null) return
  const wanted = { name: nameOf({ path }), size: bytes, isWhole: true }
  const item = itemOf(request, wanted, await arrivalsStore.countsOf(tx, by))?.id ?? ''
  const { visitId, recipient } = by
  await arrivalsStore.add(tx, { id: ids.next(), link_id: row.id, visit_id: visitId, recipient, item, path, bytes, at })
}

interface Arrival {
  readonly row: LinkRow
  readonly by: Bringer
  /** As the guest sees it. */
  readonly path: string
  readonly bytes: number
  readonly at: number
}

/** What a guest still has to bring, and how much has come. @throws AppError TOKEN_INVALID, LINK_EXPIRED */
export async function requestOfVisit(deps: LinksDeps, ctx: Pick<Ctx, 'principal'>): Promise<RequestState | null> {
  const { guest, row } = await visitOf(deps, ctx)
  const request = requestOf(row)
  if (request === null) return null
  const { visitId } = guest
  const recipient = (await visitsStore.byId(deps.db, visitId))?.recipient ?? ''
  return stateOf(request, await arrivalsStore.countsOf(deps.db, { linkId: row.id, visitId, recipient }))
}

interface RequestShown {
  readonly state: RequestState | null
  readonly arrivals: RequestArrival[]
}

/** What has come for each item of a link, whoever brought it. */
export async function presentRequest({ db }: Pick<LinksDeps, 'db'>, row: LinkRow): Promise<RequestShown> {
  const request = requestOf(row)
  if (request === null) return { state: null, arrivals: [] }
  const all = new Map<string, number>()
  for (const { item, files } of await arrivalsStore.counts(db, row.id)) all.set(item, (all.get(item) ?? 0) + files)
  const latest = await arrivalsStore.latest(db, row.id, ARRIVALS_SHOWN)
  return {
    state: stateOf(request, all),
    arrivals: latest.map(({ item, path, bytes, at, recipient }) => {
      return { item, path, bytes: Number(bytes), time: Math.floor(Number(at) / 1000), recipient }
    }),
  }
}

/** @returns the items that each recipient has still to bring; undefined for a link that asks for nothing */
export async function missingByRecipient(
  db: Db | Tx,
  row: Pick<LinkRow, 'id' | 'request'>,
): Promise<((recipient: string) => string[]) | undefined> {
  const request = requestOf(row)
  if (request === null) return undefined
  const counts = Map.groupBy(await arrivalsStore.counts(db, row.id), ({ recipient }) => recipient)
  return (recipient) => {
    const own = counts.get(recipient) ?? []
    return missingItems(request, new Map(own.map(({ item, files }) => [item, files])))
  }
}
