import { LINK_ORDER_BY, linkRoutes, type LinkListQuery, type LinkRecord } from '@godwit/contract'
import { placeOf } from '../../content/access/index.ts'
import { allSpaces } from '../../content/spaces/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import { changeOwnLinks, requireOwn, type ManagedChange } from './links.changes.ts'
import { audienceStore } from './link-audience.store.ts'
import { findPeople } from './link-audience.ts'
import { presentRequest } from './link-requests.ts'
import { sharedIn, wayInto } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import { mailLinkAgain, previewLinkMail } from './links.mail.ts'
import { addressOf, guestsOf, presentLink, presentUse, type LinkFacts } from './links.present.ts'
import type { Link } from './links.schema.ts'
import { createLink, editLink, extendLinks } from './links.service.ts'
import { presentReaders, remindMissing } from './links.reminders.ts'
import { listSealedOfOwner } from './sealed-links.ts'
import { linksStore, type LinkSearch } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

const ORDER_BY = new Map<number, LinkSearch['orderBy']>([
  [LINK_ORDER_BY.name, 'label'],
  [LINK_ORDER_BY.createTime, 'created_at'],
  [LINK_ORDER_BY.expiry, 'expires_at'],
  [LINK_ORDER_BY.status, 'status'],
])

export interface LinkRoutesDeps extends LinksDeps {
  /** Looks for people, by account. */
  readonly searches: CallLimit
}

export function linkEndpoints(deps: LinkRoutesDeps): Endpoint[] {
  const changeTo =
    (change: ManagedChange['change']) =>
    async (ctx: UserCtx, { body }: { readonly body: { readonly shareUrlList: readonly string[] } }) => {
      await changeOwnLinks(deps, ctx, { addresses: body.shareUrlList, change })
      return {}
    }
  return [
    endpoint(linkRoutes.create, async (ctx, { body }) => {
      const row = await createLink(deps, ctx, body)
      return { shareUrl: addressOf(deps, row), linkId: row.id }
    }),
    endpoint(linkRoutes.edit, async (ctx, { body }) => one(deps, ctx, await editLink(deps, ctx, body))),
    endpoint(linkRoutes.list, (ctx, { query }) => listLinks(deps, ctx, query)),
    endpoint(linkRoutes.detail, async (ctx, { query }) => one(deps, ctx, await own(deps, ctx, query.url))),
    endpoint(linkRoutes.sealedFiles, async (ctx, { body }) =>
      listSealedOfOwner(deps, ctx, await own(deps, ctx, body.url), body),
    ),
    endpoint(linkRoutes.uses, async (ctx, { query }) => {
      const { id } = await own(deps, ctx, query.url)
      const { pageNum: current, pageSize: size } = query
      const { rows, total } = await visitsStore.uses(deps.db, id, { offset: (current - 1) * size, limit: size })
      const guestOf = await guestsOf(deps.db, rows)
      return { items: rows.map((row) => presentUse(row, guestOf(row))), total, size, current }
    }),
    endpoint(linkRoutes.recipients, async (ctx, { query }) => {
      return presentReaders(deps, await own(deps, ctx, query.url))
    }),
    endpoint(linkRoutes.request, async (ctx, { query }) => presentRequest(deps, await own(deps, ctx, query.url))),
    endpoint(linkRoutes.people, async (ctx, { query }) => {
      await deps.searches.take(ctx.principal.id)
      return findPeople(deps, ctx, query.keyword)
    }),
    endpoint(linkRoutes.remind, async (ctx, { body }) => remindMissing(deps, ctx, await own(deps, ctx, body.url))),
    endpoint(linkRoutes.extend, async (ctx, { body }) => {
      await extendLinks(deps, ctx, body)
      return {}
    }),
    endpoint(linkRoutes.mailAgain, async (ctx, { body }) => {
      await mailLinkAgain(deps, ctx, body)
      return {}
    }),
    endpoint(linkRoutes.previewMail, (ctx, { body }) => previewLinkMail(deps, ctx, body)),
    endpoint(linkRoutes.downloadCount, async (ctx, { query }) => {
      return { count: (await own(deps, ctx, query.sid)).download_count }
    }),
    endpoint(linkRoutes.cancel, changeTo('canceled')),
    endpoint(linkRoutes.cancelTwin, changeTo('canceled')),
    endpoint(linkRoutes.enable, changeTo('enabled')),
    endpoint(linkRoutes.remove, changeTo('removed')),
    endpoint(linkRoutes.unbind, async (ctx, { body }) => {
      await changeOwnLinks(deps, ctx, { addresses: body.urls, change: 'unbound' })
      return {}
    }),
  ]
}

/** @throws AppError LINK_NOT_FOUND */
async function own(deps: LinksDeps, ctx: UserCtx, address: string): Promise<Link> {
  const [row] = await requireOwn(deps, ctx, [address])
  if (row === undefined) throw new AppError('LINK_NOT_FOUND')
  return row
}

async function one(deps: LinksDeps, ctx: UserCtx, row: Link): Promise<LinkRecord> {
  const [record] = await presentAll(deps, ctx, [row])
  if (record === undefined) throw new AppError('LINK_NOT_FOUND')
  return record
}

async function listLinks(deps: LinksDeps, ctx: UserCtx, query: LinkListQuery) {
  const { pageNum: current, pageSize: size, startTime, endTime } = query
  const { rows, total } = await linksStore.search(deps.db, {
    ownerId: ctx.principal.id,
    urlType: query.shareUrlType,
    spaceId: query.spaceId,
    status: query.status,
    target: query.path === undefined ? undefined : { groupId: query.groupId, path: query.path },
    text: query.keyword.trim().toLowerCase(),
    from: startTime === undefined ? undefined : startTime * 1000,
    until: endTime === undefined ? undefined : (endTime + 1) * 1000,
    orderBy: ORDER_BY.get(query.orderBy) ?? 'created_at',
    order: query.order,
    offset: (current - 1) * size,
    limit: size,
    now: deps.clock.now(),
  })
  return { sharelinkinfo: await presentAll(deps, ctx, rows), total, size, current }
}

async function presentAll(deps: LinksDeps, ctx: UserCtx, rows: readonly Link[]): Promise<LinkRecord[]> {
  if (rows.length === 0) return []
  const owner = await usersStore.byId(deps.db, ctx.principal.id)
  const spaces = new Map((await allSpaces(deps.db)).map(({ id, spaceName }) => [id, spaceName]))
  const groupIds = new Set(rows.map(({ group_id: id }) => id).filter((id) => id > 0))
  const groups = new Map<number, string>()
  for (const id of groupIds) groups.set(id, (await groupsStore.byId(deps.db, id))?.name ?? '')
  const named = rows.filter(({ audience }) => audience === 'named').map(({ id }) => id)
  const [people, teams] = [await audienceStore.people(deps.db, named), await audienceStore.groups(deps.db, named)]
  return Promise.all(
    rows.map(async (row) => {
      const facts: LinkFacts = {
        account: owner?.account ?? '',
        email: owner?.email ?? '',
        spaceName: spaces.get(row.space_id) ?? '',
        groupName: groups.get(row.group_id) ?? '',
        mayOwner: await mayOffer(deps, ctx, row),
        users: people.filter(({ linkId }) => linkId === row.id),
        groups: teams.filter(({ linkId }) => linkId === row.id),
      }
      return presentLink(deps, row, facts)
    }),
  )
}

/** Whether the owner may do now what the link offers. */
async function mayOffer({ files }: LinksDeps, ctx: UserCtx, row: Link): Promise<boolean> {
  const place = placeOf({ spaceId: row.space_id, groupId: row.group_id })
  try {
    await files.access.open(ctx, place, wayInto(sharedIn(row)) ?? '/', row.url_type === 0 ? 'invite' : 'share')
    return true
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return false
    throw thrown
  }
}
