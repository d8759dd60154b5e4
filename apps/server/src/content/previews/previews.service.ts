import { previewRoutes, type OperationReply } from '@godwit/contract'
import type { ConverterName } from '../../foundation/conversions/index.ts'
import type { Edge } from '../../foundation/pictures/index.ts'
import { accountOf, requireAccount } from '../../identity/principals/index.ts'
import type { Tickets } from '../../identity/tickets/index.ts'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { nameOf, placeOf, requireEntry, type Access, type Found, type PlaceIds } from '../access/index.ts'
import { originOf } from '../file-events/index.ts'
import type { RunningDownloads } from '../downloads/index.ts'
import { beginView } from '../preview-log/index.ts'
import { pictureQuery } from './picture-query.ts'
import { askedOfFilm, sendFilm } from './previews.films.ts'
import { lookToShow } from './previews.look.ts'
import { sendConverted, sendPicture, type PicturesOfFilesDeps } from './previews.pictures.ts'
import type { View } from './previews.policy.ts'
import { accountViewer } from './watermarks.ts'

/** A film is watched, and a book read, for hours. The link ends with the session all the same, and asks for rights at each use. */
const LINK_LIFE_MS = 12 * 3_600_000

/** A file, who looks at it and where it is. */
interface Looked {
  readonly principal: AccountPrincipal
  readonly place: PlaceIds
  readonly path: string
}

/** A file that a page shows. */
export interface Shown extends Looked {
  /** What the content was found to be. Other content that takes its place runs no more under this type than the first did. */
  readonly contentType: string
  /** A picture of this size is made of it, and sent in its place. */
  readonly edge?: Edge
  /** The PDF that this program makes of it is, or pages of that. */
  readonly converter?: ConverterName
  /** Pictures of its pages are. */
  readonly isPaged?: true
}

export interface PreviewsDeps extends Pick<Kernel, 'db' | 'clock' | 'ids' | 'outbox'>, PicturesOfFilesDeps {
  readonly access: Access
  readonly tickets: Tickets<Shown>
  readonly downloads: RunningDownloads
}

/**
 * How a file can be shown, and a link to its bytes. Emits `file.previewed` unless there is nothing to show.
 * @throws AppError PATH_NOT_FOUND, PATH_IS_FOLDER, PERMISSION_DENIED
 */
export async function previewFile(
  deps: PreviewsDeps,
  ctx: UserCtx,
  { spaceId, groupId, path }: PlaceIds & { readonly path: string },
): Promise<OperationReply<'preview'>> {
  const looked = { principal: ctx.principal, place: { spaceId, groupId }, path }
  const found = await findFile(deps, looked)
  const shown = await lookToShow(deps, found, ctx.signal)
  const { view, reason, type, hasStream = false } = shown
  if (view !== 'none') await reportPreview(deps, ctx, found)
  const { account } = accountOf(ctx.principal)
  const seen = { userId: ctx.principal.id, viewer: account, ...found.location.place, path: found.location.path }
  const viewId = view === 'none' ? '' : await beginView(deps, { ...seen, address: ctx.address })
  const { ticket, expiresAt } = await deps.tickets.issue({ ...looked, ...sentAs(shown) }, LINK_LIFE_MS)
  return {
    name: nameOf(found.location),
    size: found.entry.size,
    time: Math.floor(found.entry.modifiedMs / 1000),
    view,
    reason,
    type,
    hasStream,
    url: `/api/files/preview/content?ticket=${ticket}`,
    expiresAt: Math.floor(expiresAt / 1000),
    viewId,
  }
}

/** Fills a screen; more detail is in the file. */
const SCREEN_EDGE: Edge = 2048

export type SentAs = Pick<Shown, 'contentType' | 'converter' | 'edge' | 'isPaged'>

/** What the ticket of a view sends. */
export function sentAs({ contentType, converter, isMade, isPaged }: View): SentAs {
  return {
    contentType,
    ...(converter === undefined ? {} : { converter }),
    ...(isMade ? { edge: SCREEN_EDGE } : {}),
    ...(isPaged ? { isPaged } : {}),
  }
}

/** The page that a request names of a document of pages; undefined of any other. @throws AppError PARAMETER_INVALID */
export function pageOf({ isPaged }: Pick<Shown, 'isPaged'>, query: URLSearchParams): number | undefined {
  return isPaged ? (pictureQuery(previewRoutes.content.query, query).page ?? 0) : undefined
}

const POSTER_EDGE: Edge = 1024

/** The size of the poster where a request asks for that of a film. @throws AppError PARAMETER_INVALID */
export function posterEdge(query: URLSearchParams): Edge | undefined {
  if (!query.has('poster')) return undefined
  pictureQuery(previewRoutes.content.query, query)
  return POSTER_EDGE
}

async function reportPreview({ db, clock, outbox }: PreviewsDeps, ctx: UserCtx, found: Found): Promise<void> {
  const { location, entry } = found
  const seen = { path: location.path, kind: entry.kind, size: entry.size, at: clock.now() }
  const event = { ...originOf(ctx), ...location.place, userId: ctx.principal.id, ...seen }
  await inTransaction(db, (tx) => outbox.add(tx, 'file.previewed', event))
  outbox.nudge()
}

/**
 * Sends bytes of a file that is being shown. Rights and watermark are those of now, not of when the link was made.
 * @throws AppError TICKET_INVALID, PREVIEW_UNSUPPORTED for a file as it is while previews carry a mark, and as previewFile() and sendPicture()
 */
export async function sendShown(deps: PreviewsDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { downloads, tickets } = deps
  const shown = await tickets.redeem(exchange.query.get('ticket') ?? '')
  const found = await findFile(deps, shown)
  const { principal, converter } = shown
  const edge = shown.edge ?? posterEdge(exchange.query)
  const viewer = () => accountViewer(deps, principal, ctx.address)
  const asked = askedOfFilm(exchange.query)
  if (asked !== undefined) {
    return sendFilm(deps, { found, owner: principal.id, viewer }, asked, { ...exchange, signal: ctx.signal })
  }
  if (edge !== undefined) {
    const page = pageOf(shown, exchange.query)
    return sendPicture(
      deps,
      { found, edge, page, converter, owner: principal.id, viewer },
      { ...exchange, signal: ctx.signal },
    )
  }
  if (converter !== undefined) {
    return sendConverted(deps, { found, converter, owner: principal.id }, { ...exchange, signal: ctx.signal })
  }
  await deps.watermarks.requireNone()
  const file = { found, contentType: shown.contentType, report: () => Promise.resolve() }
  await downloads.send({ principal, place: shown.place, paths: [shown.path] }, file, {
    ...exchange,
    signal: ctx.signal,
  })
}

/**
 * Sends a small picture of a file.
 * @throws AppError PARAMETER_INVALID, PERMISSION_DENIED, PATH_NOT_FOUND, PATH_IS_FOLDER, and as sendPicture()
 */
export async function sendThumbnail(deps: PreviewsDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const principal = requireAccount(ctx)
  const { path, edge, ...place } = pictureQuery(previewRoutes.thumbnail.query, exchange.query)
  const location = await deps.access.open({ principal }, placeOf(place), path, 'view')
  // It comes with the list, and shows what a preview shows.
  location.require('list')
  const found = requireFile(await requireEntry(location))
  const viewer = () => accountViewer(deps, principal, ctx.address)
  await sendPicture(deps, { found, edge, owner: principal.id, viewer }, { ...exchange, signal: ctx.signal })
}

async function findFile({ access }: PreviewsDeps, { principal, place, path }: Looked): Promise<Found> {
  return requireFile(await requireEntry(await access.open({ principal }, placeOf(place), path, 'view')))
}

function requireFile(found: Found): Found {
  if (found.entry.kind !== 'file') throw new AppError('PATH_IS_FOLDER')
  return found
}
