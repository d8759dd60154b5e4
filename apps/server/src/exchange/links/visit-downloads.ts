import { linkVisitRoutes, type OperationReply } from '@godwit/contract'
import { nameOf, type Found } from '../../content/access/index.ts'
import type { NamedEntry, RunningDownloads } from '../../content/downloads/index.ts'
import { beginView } from '../../content/preview-log/index.ts'
import {
  askedOfFilm,
  lookToShow,
  pageOf,
  pictureQuery,
  posterEdge,
  sendConverted,
  sendFilm,
  sendPicture,
  sentAs,
  type PicturesOfFilesDeps,
  type SentAs,
} from '../../content/previews/index.ts'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Tickets } from '../../identity/tickets/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import { countDownload } from './link-uses.ts'
import { openInLink, whenFollowed, type GuestPath } from './link-identity.ts'
import { nameIn, sharedIn } from './link-paths.ts'
import type { Link } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { requireUnsealed } from './sealed-links.policy.ts'
import { guestViewer } from './visit-viewer.ts'
import type { RunningVisits } from './running-visits.ts'
import { visitOf, type VisitsDeps } from './visits.service.ts'
import { visitsStore } from './visits.store.ts'

/** What a ticket of a visit opens; of a preview with what is sent. */
export interface GuestTicket extends Partial<SentAs> {
  readonly principal: GuestPrincipal
  /** As the guest sees them; none: everything. */
  readonly paths: readonly string[]
}

export interface VisitDownloadsDeps
  extends VisitsDeps, Pick<PicturesOfFilesDeps, 'conversions' | 'pictures' | 'watermarks'> {
  readonly downloads: RunningDownloads
  readonly state: ServerState
  readonly running: RunningVisits
  readonly tickets: Tickets<GuestTicket>
}

/** Films are watched for hours. */
const PREVIEW_MS = 12 * 3_600_000
const CONTENT = '/api/share/visit/content'

/** @throws AppError TOKEN_INVALID, LINK_EXPIRED, LINK_DOWNLOAD_NOT_ALLOWED, LINK_SEALED for a zip, PATH_NOT_FOUND, SERVER_PAUSED */
export async function issueGuestTicket(
  deps: VisitDownloadsDeps,
  ctx: Ctx,
  paths: readonly string[],
): Promise<OperationReply<'download'>> {
  const { guest, row } = await visitOf(deps, ctx)
  // A zip of what only browsers can open is of no use to anybody.
  if (paths.length !== 1 || paths[0] === '/') requireUnsealed(row)
  await whenFollowed(deps, row, (link, isSettled) => findShared(deps, { guest, row: link, paths, isSettled }))
  deps.state.requireOpen()
  const { ticket, expiresAt } = await deps.tickets.issue({ principal: guest, paths })
  return { ticket, url: `${CONTENT}?ticket=${ticket}`, expiresAt: Math.floor(expiresAt / 1000) }
}

/** @throws AppError TOKEN_INVALID, LINK_EXPIRED, LINK_SEALED, PATH_NOT_FOUND, PATH_IS_FOLDER */
export async function previewShared(
  deps: VisitDownloadsDeps,
  ctx: Ctx,
  path: string,
): Promise<OperationReply<'preview'>> {
  const { guest, row } = await visitOf(deps, ctx)
  requireUnsealed(row)
  const found = await findFile(deps, { guest, row, path })
  const shown = await lookToShow(deps, found, ctx.signal)
  const { view, reason, type, hasStream = false } = shown
  const opens = { principal: guest, paths: [path], ...sentAs(shown) }
  const { ticket, expiresAt } = await deps.tickets.issue(opens, PREVIEW_MS)
  const { account: viewer } = await guestViewer(deps, guest, ctx.address)
  const { place, path: owned } = found.location
  const seen = { visitId: guest.visitId, viewer, link: row.label, ...place, path: owned, address: ctx.address }
  return {
    // Of a link to one file the page asks for it by the name that it shows.
    name: nameIn(path),
    size: found.entry.size,
    time: Math.floor(found.entry.modifiedMs / 1000),
    view,
    reason,
    type,
    hasStream,
    url: `${CONTENT}?ticket=${ticket}`,
    expiresAt: Math.floor(expiresAt / 1000),
    viewId: view === 'none' ? '' : await beginView(deps, seen),
  }
}

/** Sends what a ticket names, with the rights of now. @throws AppError TICKET_INVALID, LINK_EXPIRED, PATH_NOT_FOUND */
export async function sendByTicket(deps: VisitDownloadsDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const text = exchange.query.get('ticket') ?? ''
  const ticket = await deps.tickets.redeem(text)
  const { principal: guest, paths, contentType, converter } = ticket
  const row = await linksStore.byId(deps.db, guest.id)
  if (row === undefined) throw new AppError('TICKET_INVALID')
  if (contentType === undefined) {
    await deps.tickets.extend(text)
    return sendShared(deps, ctx, { guest, row, paths, exchange })
  }
  const found = await findFile(deps, { guest, row, path: paths[0] ?? '/' })
  const running = deps.running.begin(guest, ctx.signal)
  try {
    const way = { ...exchange, signal: running.signal }
    const viewer = () => guestViewer(deps, guest, ctx.address)
    const asked = askedOfFilm(exchange.query)
    if (asked !== undefined) return await sendFilm(deps, { found, owner: guest.visitId, viewer }, asked, way)
    const edge = ticket.edge ?? posterEdge(exchange.query)
    if (edge !== undefined) {
      const page = pageOf(ticket, exchange.query)
      return await sendPicture(deps, { found, edge, page, converter, owner: guest.visitId, viewer }, way)
    }
    if (converter !== undefined) return await sendConverted(deps, { found, converter, owner: guest.visitId }, way)
    await deps.watermarks.requireNone()
    const file = { found, contentType, isExact: true, report: () => Promise.resolve() }
    await deps.downloads.sendShown(file, way)
  } finally {
    running.end()
  }
}

/**
 * Sends a small picture of a shared file.
 * @throws AppError TOKEN_INVALID, LINK_EXPIRED, LINK_SEALED, PARAMETER_INVALID, PATH_NOT_FOUND, PATH_IS_FOLDER, and as sendPicture()
 */
export async function sendThumbnail(deps: VisitDownloadsDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { guest, row } = await visitOf(deps, ctx)
  requireUnsealed(row)
  const { path, edge } = pictureQuery(linkVisitRoutes.thumbnail.query, exchange.query)
  const found = await findFile(deps, { guest, row, path })
  found.location.require('list')
  const viewer = () => guestViewer(deps, guest, ctx.address)
  await sendPicture(deps, { found, edge, owner: guest.visitId, viewer }, { ...exchange, signal: ctx.signal })
}

interface Sending {
  readonly guest: GuestPrincipal
  readonly row: Link
  readonly paths: readonly string[]
  readonly exchange: RawExchange
}

/** Sends what paths of a link name, everything for none: a file, or a zip of several. @throws AppError LINK_EXPIRED, LINK_DOWNLOAD_NOT_ALLOWED, PATH_NOT_FOUND */
export async function sendShared(
  deps: VisitDownloadsDeps,
  ctx: Ctx,
  { guest, row, paths, exchange }: Sending,
): Promise<void> {
  const find = (link: Link, isSettled: boolean) => findShared(deps, { guest, row: link, paths, isSettled })
  const found = await whenFollowed(deps, row, find)
  const { req, res } = exchange
  const running = deps.running.begin(guest, ctx.signal)
  const taken = paths.length === 0 ? ['/'] : paths
  let use: string | undefined
  let bytes = 0
  let isWhole = false
  try {
    const selection = {
      found,
      ...(found.length > 1 ? { archive: row.label } : {}),
      reader: [row.id, guest.visitId, ctx.address, ...taken],
      async report(start: number, zip?: { readonly contentBytes: number }) {
        if (req.method === 'HEAD') return
        const totalBytes = zip?.contentBytes ?? sizeOf(found)
        use = await countDownload(deps, { guest, row, address: ctx.address, paths: taken, start, totalBytes })
      },
    }
    const way = { ...exchange, signal: running.signal, locale: ctx.locale }
    await deps.downloads.sendOpened(selection, way, (length) => void (bytes += length))
    isWhole = res.writableFinished
  } finally {
    running.end()
    if (use !== undefined) await visitsStore.addBytes(deps.db, use, { bytes, isWhole })
  }
}

/** 0 for a zip of files that are taken as they come, whose length shows at its end. */
function sizeOf(found: readonly NamedEntry[]): number {
  const [only] = found
  return found.length === 1 && only?.entry.kind === 'file' ? only.entry.size : 0
}

interface Sought {
  readonly guest: GuestPrincipal
  readonly row: Link
  readonly paths: readonly string[]
  /** Whether what is not there is gone, and its event is not just on its way. */
  readonly isSettled: boolean
}

/** @throws AppError LINK_EXPIRED, LINK_DOWNLOAD_NOT_ALLOWED, PATH_NOT_FOUND */
export async function findShared(
  deps: VisitDownloadsDeps,
  { guest, row, paths, isSettled }: Sought,
): Promise<NamedEntry[]> {
  if (row.url_type === 0 || row.allow_download === 0) throw new AppError('LINK_DOWNLOAD_NOT_ALLOWED')
  const { root, entries } = sharedIn(row)
  const isAll = paths.length === 0 || paths.includes('/')
  const wanted = isAll ? (root === undefined ? [...entries.keys()].map((name) => `/${name}`) : ['/']) : paths
  const found: NamedEntry[] = []
  for (const path of wanted) {
    // What was taken away since it was shared is not missed by whoever wants all of it.
    const mayMiss = isSettled && isAll && wanted.length > 1
    const one = await openFound(deps, { guest, link: row, path }, mayMiss)
    if (one === undefined) continue
    if (one.entry.kind === 'folder') one.location.require('downloadFolder')
    found.push({ ...one, ...(path === '/' ? {} : { shownAs: nameOf({ path: path.replace(/\/+$/, '') }) }) })
  }
  if (found.length === 0) throw new AppError('PATH_NOT_FOUND', { name: row.label })
  return found
}

async function openFound(deps: VisitDownloadsDeps, path: GuestPath, mayMiss: boolean): Promise<Found | undefined> {
  try {
    return await openInLink(deps, path, 'download')
  } catch (thrown) {
    if (mayMiss && thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') return undefined
    throw thrown
  }
}

interface OnePath {
  readonly guest: GuestPrincipal
  readonly row: Link
  readonly path: string
}

function findFile(deps: VisitDownloadsDeps, { guest, row, path }: OnePath): Promise<Found> {
  return whenFollowed(deps, row, async (link) => {
    const found = await openInLink(deps, { guest, link, path }, 'view')
    if (found.entry.kind !== 'file') throw new AppError('PATH_IS_FOLDER')
    return found
  })
}
