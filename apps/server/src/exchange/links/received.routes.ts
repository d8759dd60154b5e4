import { receivedLinkRoutes, SHARE_URL_TYPE, type ReceivedLink } from '@godwit/contract'
import { usersSearch } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { audienceStore, type ReceivedSearch } from './link-audience.store.ts'
import { openShared } from './link-identity.ts'
import type { LinksDeps } from './links.deps.ts'
import { blockOf, isUsable } from './links.policy.ts'
import type { Link } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { guestOf, openReceived, type VisitsDeps } from './visits.service.ts'

const COLUMNS = {
  name: 'label',
  created: 'created_at',
  expires: 'expires_at',
} as const satisfies Readonly<Record<string, ReceivedSearch['orderBy']>>

/** Links for people of the site, as those ask for them whom they are for. */
export function receivedEndpoints(deps: VisitsDeps): Endpoint[] {
  return [
    endpoint(receivedLinkRoutes.list, async (ctx, { query }) => {
      const { pageNum: current, pageSize: size, keyword, orderBy, order } = query
      const { ids, total } = await audienceStore.received(deps.db, {
        ...{ userId: ctx.principal.id, text: keyword.trim().toLowerCase(), orderBy: COLUMNS[orderBy], order },
        ...{ offset: (current - 1) * size, limit: size },
      })
      return { items: await presentReceived(deps, ctx, ids), total, size, current }
    }),
    endpoint(receivedLinkRoutes.open, (ctx, { body }) => openReceived(deps, ctx, body.url)),
  ]
}

async function presentReceived(deps: LinksDeps, ctx: UserCtx, ids: readonly string[]): Promise<ReceivedLink[]> {
  const links = await linksStore.byIds(deps.db, ids)
  const owners = await usersSearch.byIds(deps.db, [...new Set(links.map((link) => link.owner_id))])
  const byId = new Map(owners.map(({ id, account, name }) => [id, { account, name }]))
  const openedAt = await audienceStore.openedBy(deps.db, ctx.principal.id, ids)
  return Promise.all(
    links.map(async (link) => ({
      linkId: link.id,
      shareUrlType: link.url_type === SHARE_URL_TYPE.upload ? 0 : 1,
      title: link.label,
      count: link.targets.length,
      type: link.src_type,
      owner: byId.get(link.owner_id) ?? { account: '', name: '' },
      description: link.description,
      forEveryone: link.audience === 'everyone',
      open: await isOpen(deps, link),
      shareCreateTime: seconds(link.created_at),
      shareExpireTime: seconds(link.expires_at),
      openedAt: seconds(openedAt.get(link.id) ?? 0),
    })),
  )
}

/** Whether it opens now; why it does not is its owner's to know. */
async function isOpen(deps: LinksDeps, link: Link): Promise<boolean> {
  const now = deps.clock.now()
  if (!isUsable(link, now) || blockOf(link, now) !== null) return false
  try {
    await openShared(deps, guestOf(link.id, ''), link)
    return true
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return false
    throw thrown
  }
}

function seconds(ms: number): number {
  return Math.floor(Number(ms) / 1000)
}
