import type { ServerResponse } from 'node:http'
import type { OperationReply } from '@godwit/contract'
import type { ObjectReader } from '@godwit/storage'
import type { Locale } from '@godwit/i18n'
import { create as contentDisposition } from 'content-disposition'
import type { Door, UserCtx } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { nameOf, placeOf, requireEntry, type Found, type PlaceIds } from '../access/index.ts'
import { matchesEtag, parseRange, rangeStillHolds } from './downloads.ranges.ts'
import { sendArchive } from './downloads.archive.ts'
import type { ReportDownload } from './downloads.events.ts'
import { cutWhenStalled, type Sender } from './downloads.send.ts'
import type { Tickets } from '../../identity/tickets/index.ts'

export interface DownloadsDeps {
  readonly files: FilesDeps
  readonly sender: Sender
  readonly report: ReportDownload
  readonly tickets: Tickets<Wanted>
  /** The principal with the rights of now; undefined when there are none left. */
  readonly renew: (principal: AccountPrincipal) => Promise<AccountPrincipal | undefined>
}

/** A request with what ends it and the language of its caller. */
export interface Exchange extends RawExchange {
  readonly signal: AbortSignal
  readonly locale: Locale
  readonly door: Door
}

/** A caller's files to be sent. */
export interface Wanted {
  readonly principal: AccountPrincipal
  readonly place: PlaceIds
  readonly paths: readonly string[]
}

/**
 * A plain link to entries.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED
 */
export async function issueTicket(
  deps: DownloadsDeps,
  ctx: UserCtx,
  { spaceId, groupId, paths }: PlaceIds & { readonly paths: readonly string[] },
): Promise<OperationReply<'download'>> {
  const place = { spaceId, groupId }
  await findAll(deps, { principal: ctx.principal, place, paths })
  const { ticket, expiresAt } = deps.tickets.issue({ principal: ctx.principal, place, paths })
  return { ticket, url: `/api/files/content?ticket=${ticket}`, expiresAt: Math.floor(expiresAt / 1000) }
}

/** Whether anything may still be downloaded from a place. */
export async function mayDownload(
  { files }: Pick<DownloadsDeps, 'files'>,
  principal: AccountPrincipal,
  place: PlaceIds,
): Promise<boolean> {
  try {
    await files.access.open({ principal }, placeOf(place), '/', 'download')
    return true
  } catch (thrown) {
    // A database that is away takes no right away.
    if (!(thrown instanceof AppError) || thrown.status >= 500) return true
    return false
  }
}

async function findAll(deps: DownloadsDeps, { principal, place, paths }: Wanted): Promise<Found[]> {
  const found: Found[] = []
  for (const path of paths) {
    const one = await requireEntry(await deps.files.access.open({ principal }, placeOf(place), path, 'download'))
    if (one.entry.kind === 'folder') one.location.require('downloadFolder')
    found.push(one)
  }
  return found
}

/**
 * Answers with a file as itself, or with several or a folder as a zip.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, RANGE_INVALID before anything was sent; after that the connection is cut
 */
export async function sendContent(deps: DownloadsDeps, wanted: Wanted, exchange: Exchange): Promise<void> {
  const found = await findAll(deps, wanted)
  const [only] = found
  cutWhenStalled(exchange.res)
  const { principal } = wanted
  const report = async (start: number): Promise<void> => {
    if (exchange.req.method !== 'HEAD') await deps.report({ principal, door: exchange.door, found, start })
  }
  if (only !== undefined && found.length === 1 && only.entry.kind === 'file') {
    return sendFile(deps, { found: only, report }, exchange)
  }
  await report(0)
  return sendZip(deps, found, exchange)
}

/** Headers that keep whatever a file contains from acting on our site. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
} as const

export interface SingleFile {
  readonly found: Found
  /** What a browser may take it for; only content that was looked at may have a type that a browser draws. */
  readonly contentType?: string
  /** Called with the first byte that will leave. */
  readonly report: (start: number) => Promise<void>
}

/**
 * Answers with one file, by Range when it is asked for.
 * @throws AppError as storageError() makes them, RANGE_INVALID
 */
export async function sendFile(
  deps: Pick<DownloadsDeps, 'sender'>,
  { found, contentType = 'application/octet-stream', report }: SingleFile,
  exchange: Pick<Exchange, 'req' | 'res' | 'signal'>,
): Promise<void> {
  const { location } = found
  const reader = await withAppErrors(() => location.store.openRead(location.key))
  try {
    await sendOpened(deps, { reader, name: nameOf(location), contentType, report }, exchange)
  } catch (thrown) {
    throw storageError(thrown)
  } finally {
    await reader.close()
  }
}

interface Opened {
  readonly reader: ObjectReader
  readonly name: string
  readonly contentType: string
  readonly report: SingleFile['report']
}

async function sendOpened(
  deps: Pick<DownloadsDeps, 'sender'>,
  { reader, name, contentType, report }: Opened,
  { req, res, signal }: Pick<Exchange, 'req' | 'res' | 'signal'>,
): Promise<void> {
  const { size, modifiedMs } = reader.entry
  const etag = `"${reader.entry.etag}"`
  const headers = {
    ...SAFE_HEADERS,
    etag,
    'accept-ranges': 'bytes',
    'last-modified': new Date(modifiedMs).toUTCString(),
    'content-type': contentType,
    // Attachment for every type: an <img> or <video> draws it all the same, a tab saves it.
    'content-disposition': contentDisposition(name),
  }
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, headers).end()
    return
  }
  const wanted = rangeStillHolds(req.headers['if-range']?.toString(), etag)
    ? parseRange(req.headers.range, size)
    : undefined
  if (wanted === 'none') {
    res.setHeader('content-range', `bytes */${size}`)
    throw new AppError('RANGE_INVALID', { size })
  }
  const span = wanted ?? { start: 0, end: size }
  await report(span.start)
  res.writeHead(wanted ? 206 : 200, {
    ...headers,
    'content-length': span.end - span.start,
    ...(wanted ? { 'content-range': `bytes ${span.start}-${span.end - 1}/${size}` } : {}),
  })
  if (req.method !== 'HEAD') await deps.sender.send(res, { reader, span, signal })
  await finished(res)
}

async function sendZip(deps: DownloadsDeps, found: readonly Found[], exchange: Exchange): Promise<void> {
  const { req, res } = exchange
  const [only] = found
  const name = found.length === 1 && only !== undefined ? nameOf(only.location) || 'files' : 'files'
  res.writeHead(200, {
    ...SAFE_HEADERS,
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`${name}.zip`),
  })
  if (req.method !== 'HEAD') await sendArchive(deps.sender, found, exchange)
  await finished(res)
}

/** The reader of the file is kept until the last byte has left. */
function finished(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    res.once('close', resolve)
    res.end(resolve)
  })
}
