import type { IncomingMessage } from 'node:http'
import type { OperationReply } from '@godwit/contract'
import type { ObjectReader } from '@godwit/storage'
import type { Locale } from '@godwit/i18n'
import { create as contentDisposition } from 'content-disposition'
import type { Door, UserCtx } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import { requireSeen, seenAs, type FilesDeps } from '../files/index.ts'
import type { RequireWeb } from '../spaces/index.ts'
import type { AccountSpeeds } from '../account-speeds/index.ts'
import { nameOf, placeOf, requireEntry, sameEntry, type Found, type Location, type PlaceIds } from '../access/index.ts'
import type { Traffic } from '../traffic/index.ts'
import { countedDownload } from './counted-download.ts'
import { matchesEtag, parseRange, rangeStillHolds } from './downloads.ranges.ts'
import type { NamedEntry } from './downloads.selection.ts'
import type { ReportDownload } from './downloads.events.ts'
import { SAFE_HEADERS } from './downloads.headers.ts'
import {
  countingSender,
  cutWhenStalled,
  finished,
  pacedSender,
  type SendExchange,
  type Sender,
} from './downloads.send.ts'
import { sendZip, type ZipDeps, type Zipped, type Zips } from './downloads.zips.ts'
import type { StillShown } from './still-shown.ts'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Tickets } from '../../identity/tickets/index.ts'

export interface DownloadsDeps {
  readonly files: FilesDeps
  readonly sender: Sender
  readonly speeds: Pick<AccountSpeeds, 'paceOf'>
  readonly requireWeb: RequireWeb
  readonly state: ServerState
  readonly report: ReportDownload
  readonly traffic: Traffic
  readonly tickets: Tickets<Wanted>
  readonly zips: Zips
  /** The principal with the rights of now; undefined when there are none left. */
  readonly renew: (principal: AccountPrincipal) => Promise<AccountPrincipal | undefined>
}

/** A request with what ends it and the language of its caller. */
export interface Exchange extends Pick<RawExchange, 'req' | 'res'> {
  readonly signal: AbortSignal
  readonly locale: Locale
  readonly door: Door
  /** Where the caller is. */
  readonly address: string
  /** See {@link SendExchange}. */
  readonly isStillShown?: StillShown
}

/** A caller's files to be sent. */
export interface Wanted {
  readonly principal: AccountPrincipal
  readonly place: PlaceIds
  readonly paths: readonly string[]
  /** What stood at each of the paths when they were chosen, see seen.ts; left out where they are chosen by this request. */
  readonly seen?: readonly string[]
  /** That version of the only path, and not what stands there now. */
  readonly versionId?: string | undefined
}

/**
 * A plain link to entries.
 * @throws AppError PATH_NOT_FOUND, VERSION_NOT_FOUND, PERMISSION_DENIED
 */
export async function issueTicket(
  deps: DownloadsDeps,
  ctx: UserCtx,
  request: PlaceIds & Pick<Wanted, 'paths' | 'versionId'>,
): Promise<OperationReply<'download'>> {
  const { spaceId, groupId, paths, versionId } = request
  const place = { spaceId, groupId }
  await deps.requireWeb(ctx.principal, spaceId)
  deps.state.requireOpen()
  const found = await findAll(deps, { principal: ctx.principal, place, paths })
  if (versionId !== undefined) await requireVersion(deps, ctx.principal, versionId)
  const seen = found.map(({ entry }) => seenAs(entry))
  const { ticket, expiresAt } = await deps.tickets.issue({ principal: ctx.principal, place, paths, seen, versionId })
  return { ticket, url: `/api/files/content?ticket=${ticket}`, expiresAt: Math.floor(expiresAt / 1000) }
}

/**
 * The paths with the rights of now; whether something is still there is not looked at.
 * @returns undefined when one of them may be downloaded no longer
 */
export async function openNow(
  { files }: Pick<DownloadsDeps, 'files'>,
  { principal, place, paths }: Pick<Wanted, 'principal' | 'place' | 'paths'>,
): Promise<readonly Location[] | undefined> {
  try {
    return await files.access.openAll({ principal }, placeOf(place), paths, 'download')
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return undefined
    throw thrown
  }
}

/** @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED */
export async function findAll(
  deps: Pick<DownloadsDeps, 'files'>,
  { principal, place, paths }: Wanted,
): Promise<Found[]> {
  const found: Found[] = []
  for (const path of paths) {
    const one = await requireEntry(await deps.files.access.open({ principal }, placeOf(place), path, 'download'))
    if (one.entry.kind === 'folder') one.location.require('downloadFolder')
    found.push(one)
  }
  return found
}

/** What was found of the same paths before, with the rights of now. @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED */
export async function openAgain(
  { files }: Pick<DownloadsDeps, 'files'>,
  { principal, place, paths }: Wanted,
  found: readonly Found[],
): Promise<Found[]> {
  const opened = await files.access.openAll({ principal }, placeOf(place), paths, 'download')
  return found.flatMap(({ location: before, entry }, at) => {
    const location = opened[at]
    if (location === undefined) return []
    if (entry.kind === 'folder') location.require('downloadFolder')
    return [{ location: sameEntry(location, before), entry }]
  })
}

/** @throws AppError VERSION_NOT_FOUND, PERMISSION_DENIED */
async function requireVersion(
  { files }: DownloadsDeps,
  principal: AccountPrincipal,
  versionId: string,
): Promise<Found> {
  const location = await files.access.open({ principal }, { kind: 'version', versionId }, '/', 'download')
  const entry = await withAppErrors(() => location.store.stat(location.key))
  if (entry === undefined) throw new AppError('VERSION_NOT_FOUND')
  return { location, entry }
}

/**
 * Answers with a file as itself, or with several or a folder as a zip. A zip holds what was chosen, never what took its name
 * since; a single file is followed to its newest content, and its ETag tells whoever goes on reading.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, RANGE_INVALID, FILE_CHANGED before anything was sent; after that the connection is cut
 */
export async function sendContent(given: DownloadsDeps, wanted: Wanted, asked: Exchange): Promise<void> {
  const { principal, place } = wanted
  await given.requireWeb(principal, place.spaceId)
  requireBegin(given.state, asked.req)
  const found = await findAll(given, wanted)
  const paced = pacedSender(given.sender, given.speeds.paceOf(principal, 'download', place))
  const counted = countedDownload(given.traffic, { principal, found, exchange: asked })
  const deps = { ...given, sender: countingSender(paced, counted.moved) }
  await counted.until(() => sendFound(deps, { wanted, found, begin: counted.begin }, counted.exchange))
}

/** The rest of a download that began before goes on while the server is paused. @throws AppError SERVER_PAUSED */
export function requireBegin(
  state: ServerState,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
): void {
  const isRest = /^bytes=0*[1-9]\d*-/.test(headers.range ?? '')
  if (method !== 'HEAD' && !isRest) state.requireOpen()
}

interface Sending {
  readonly wanted: Wanted
  readonly found: readonly Found[]
  readonly begin: () => void
}

async function sendFound(deps: DownloadsDeps, { wanted, found, begin }: Sending, exchange: Exchange): Promise<void> {
  const [only] = found
  cutWhenStalled(exchange.res)
  const { principal } = wanted
  const report = async (start: number, zip?: Zipped): Promise<void> => {
    if (exchange.req.method === 'HEAD') return
    const version = zip === undefined ? {} : { version: zip.etag }
    await deps.report({ principal, door: exchange.door, found, start, ...version })
    begin()
  }
  if (only !== undefined && found.length === 1 && only.entry.kind === 'file') {
    const { versionId } = wanted
    const sent = versionId === undefined ? only : await requireVersion(deps, principal, versionId)
    return sendFile(deps, { found: sent, name: nameOf(only.location), report }, exchange)
  }
  for (const [at, { entry }] of found.entries()) requireSeen(entry, wanted.seen?.[at])
  const { place, paths } = wanted
  const { spaceId, groupId } = place
  const reader = [principal.kind, principal.id, exchange.address, String(spaceId), String(groupId), ...paths]
  return sendZip(deps, { found, name: archiveNameOf(found), reader, report }, exchange)
}

/** What was found for somebody else's link, and what is to happen before its first byte leaves. */
export interface Selection {
  readonly found: readonly NamedEntry[]
  /** Of the zip, without its ending; default: the name of the only entry. */
  readonly archive?: string
  /** Who reads it and what of it, see {@link sendZip}. */
  readonly reader: readonly string[]
  /** Called with the first byte that will leave, and with the archive where it is one that is known before. */
  readonly report: (start: number, zip?: Zipped) => Promise<void>
}

/**
 * Sends a selection that another feature opened: one file as itself, anything else as a zip, both by Range.
 * @throws AppError RANGE_INVALID, FILE_CHANGED and what `report` throws, before anything was sent; after that the connection is cut
 */
export async function sendSelection(
  deps: ZipDeps,
  { found, archive, reader, report }: Selection,
  exchange: SendExchange,
): Promise<void> {
  const [only] = found
  cutWhenStalled(exchange.res)
  if (only !== undefined && found.length === 1 && only.entry.kind === 'file') {
    const { shownAs } = only
    const name = shownAs === undefined ? {} : { name: shownAs }
    return sendFile(deps, { found: only, report, isExact: true, ...name }, exchange)
  }
  return sendZip(deps, { found, name: archive ?? archiveNameOf(found), reader, report }, exchange)
}

/** Of a zip: the name of its only entry. */
function archiveNameOf(found: readonly NamedEntry[]): string {
  const [only] = found
  return found.length === 1 && only !== undefined ? (only.shownAs ?? nameOf(only.location)) || 'files' : 'files'
}

export interface SingleFile {
  readonly found: Found
  /** Default: its own. */
  readonly name?: string
  /** What a browser may take it for; only content that was looked at may have a type that a browser draws. */
  readonly contentType?: string
  /** Only this content: not what took its name since it was found. */
  readonly isExact?: boolean
  /** Called with the first byte that will leave. */
  readonly report: (start: number) => Promise<void>
}

/**
 * Answers with one file, by Range when it is asked for.
 * @throws AppError as storageError() makes them, RANGE_INVALID, FILE_CHANGED
 */
export async function sendFile(
  deps: Pick<DownloadsDeps, 'sender'>,
  { found, name, contentType = 'application/octet-stream', isExact = false, report }: SingleFile,
  exchange: Pick<Exchange, 'req' | 'res' | 'signal'>,
): Promise<void> {
  const { location } = found
  const reader = await withAppErrors(() => location.store.openRead(location.key))
  try {
    if (isExact) requireSeen(reader.entry, seenAs(found.entry))
    await sendOpened(deps, { reader, name: name ?? nameOf(location), contentType, report }, exchange)
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
