import { linkVisitRoutes, SHARE_URL_TYPE } from '@godwit/contract'
import { noteViewed } from '../../content/preview-log/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { endpoint, type Endpoint, type RawEndpoint } from '../../kernel/endpoint.ts'
import type { GivenAnswer } from '../../kernel/feature.ts'
import { AppError } from '../../kernel/errors.ts'
import { makeGuestFolder } from './visit-folders.ts'
import { sendLinkCode } from './link-codes.ts'
import { requestOfVisit } from './link-requests.ts'
import { listShared } from './visit-files.ts'
import {
  issueGuestTicket,
  previewShared,
  sendByTicket,
  sendThumbnail,
  type VisitDownloadsDeps,
} from './visit-downloads.ts'
import { checkCopy } from './visit-checks.ts'
import { askForPassword } from './plain.endpoints.ts'
import { sendPlain } from './plain-visits.ts'
import { listSealedOfVisit } from './sealed-links.ts'
import {
  admitGuest,
  enterVisit,
  guestOf,
  missingAnswer,
  presentInfo,
  requireGuest,
  requirePassword,
  verifyLink,
  visitOf,
  type Visited,
} from './visits.service.ts'
import { visitsStore } from './visits.store.ts'

export function visitEndpoints(deps: VisitDownloadsDeps): Endpoint[] {
  return [
    endpoint(linkVisitRoutes.verify, (ctx, { body }) => verifyLink(deps, ctx, { ...body, password: body.passwd })),
    endpoint(linkVisitRoutes.sendCode, async (ctx, { body }) =>
      sendLinkCode(deps, ctx, { ...body, row: await requirePassword(deps, ctx, { ...body, password: body.passwd }) }),
    ),
    endpoint(linkVisitRoutes.info, async (ctx, { query }) =>
      presentInfo(deps, ctx, await visited(deps, ctx, { url: query.url, password: query.passwd })),
    ),
    endpoint(linkVisitRoutes.reportDownload, async (ctx) => {
      return { count: (await visitOf(deps, ctx)).row.download_count }
    }),
    endpoint(linkVisitRoutes.list, (ctx, { body }) => listShared(deps, ctx, body)),
    endpoint(linkVisitRoutes.sealedFiles, (ctx, { body }) => listSealedOfVisit(deps, ctx, body)),
    endpoint(linkVisitRoutes.ticket, (ctx, { body }) => issueGuestTicket(deps, ctx, body.paths)),
    endpoint(linkVisitRoutes.preview, (ctx, { body }) => previewShared(deps, ctx, body.path)),
    endpoint(linkVisitRoutes.viewed, async (ctx, { body }) => {
      await noteViewed(deps, { visitId: (await visitOf(deps, ctx)).guest.visitId }, body)
      return {}
    }),
    endpoint(linkVisitRoutes.check, (ctx, { body }) => checkCopy(deps, ctx, body)),
    endpoint(linkVisitRoutes.enter, async (ctx, { body }) => {
      await enterVisit(deps, ctx, body)
      return {}
    }),
    endpoint(linkVisitRoutes.request, async (ctx) => ({ state: await requestOfVisit(deps, ctx) })),
    endpoint(linkVisitRoutes.mkdir, (ctx, { body }) => makeGuestFolder(deps, ctx, body)),
    endpoint(linkVisitRoutes.leave, async (ctx) => {
      await visitsStore.end(deps.db, requireGuest(ctx).visitId, deps.clock.now())
      return {}
    }),
  ]
}

/** Fills a screen; the visit asks for the rest. */
const FIRST_LIST = { folder: '/', limit: 20, orderBy: 'name', order: 'asc' } as const

/** Each entry that was chosen by itself is looked at; more of them would keep the page waiting. */
const FIRST_TARGETS = 100

/**
 * What a browser that asks for the page of a link is given with it: that a password is wanted, or, of a link that asks for nothing, what
 * anybody may look at. No visit begins with that, because programs look at addresses in mails, too.
 * @throws AppError LINK_NOT_FOUND, LINK_EXPIRED, RATE_LIMITED
 */
export async function answersBeforeVisit(deps: VisitDownloadsDeps, ctx: Ctx, path: string): Promise<GivenAnswer[]> {
  const { row, missing } = await admitGuest(deps, ctx, { url: path })
  if (missing === undefined) {
    const guest = guestOf(row.id, '')
    const info = { spec: linkVisitRoutes.info, data: await presentInfo(deps, ctx, { guest, row }) }
    const isListed = row.url_type !== SHARE_URL_TYPE.upload && row.sealed_by === ''
    if (!isListed || row.targets.length > FIRST_TARGETS) return [info]
    return [
      info,
      { spec: linkVisitRoutes.list, data: await listShared(deps, { ...ctx, principal: guest }, FIRST_LIST) },
    ]
  }
  if (missing !== 'LINK_PASSWORD_REQUIRED') return []
  return [{ spec: linkVisitRoutes.verify, data: missingAnswer(deps, row, { missing, email: '' }) }]
}

/** The visit of the token, or a look at the link with its password. @throws AppError as admitGuest(), LINK_PASSWORD_REQUIRED */
async function visited(
  deps: VisitDownloadsDeps,
  ctx: Ctx,
  { url, password }: { readonly url: string | undefined; readonly password: string | undefined },
): Promise<Visited> {
  if (ctx.principal?.kind === 'guest') return visitOf(deps, ctx)
  if (url === undefined) throw new AppError('TOKEN_INVALID')
  const { row, missing } = await admitGuest(deps, ctx, { url, password })
  if (missing !== undefined) throw new AppError(missing)
  return { guest: guestOf(row.id, ''), row }
}

export function visitRawEndpoints(deps: VisitDownloadsDeps): RawEndpoint[] {
  const byTicket: RawEndpoint['handle'] = (ctx, exchange) => sendByTicket(deps, ctx, exchange)
  const plain: RawEndpoint['handle'] = async (ctx, exchange) => {
    try {
      await sendPlain(deps, ctx, exchange, exchange.query.get('path'))
    } catch (thrown) {
      const asks = thrown instanceof AppError && /^LINK_PASSWORD_/.test(thrown.code)
      if (asks && !exchange.res.headersSent) askForPassword(exchange.res)
      throw thrown
    }
  }
  return [
    { spec: linkVisitRoutes.content, handle: byTicket },
    { spec: linkVisitRoutes.contentHead, handle: byTicket },
    { spec: linkVisitRoutes.thumbnail, handle: (ctx, exchange) => sendThumbnail(deps, ctx, exchange) },
    { spec: linkVisitRoutes.plain, handle: plain },
    { spec: linkVisitRoutes.plainHead, handle: plain },
  ]
}
