import { createHash } from 'node:crypto'
import type { Clock, Semaphore } from '@godwit/base'
import { StorageError } from '@godwit/storage'
import { create as contentDisposition } from 'content-disposition'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { planArchive, type ArchivePlan } from './archive-plan.ts'
import type { ArchiveStartsTable } from './archives.schema.ts'
import { archivesStore } from './archives.store.ts'
import { sendArchive } from './downloads.archive.ts'
import { matchesEtag, parseRange, rangeStillHolds, type Span } from './downloads.ranges.ts'
import type { NamedEntry } from './downloads.selection.ts'
import { SAFE_HEADERS } from './downloads.headers.ts'
import { finished, patiently, type SendExchange, type Sender } from './downloads.send.ts'
import { PlannedSending } from './planned-sending.ts'

/** What a zip needs to go on in its middle. */
export interface Zips {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  /** For contents that are read only for their checksum. */
  readonly lanes: Semaphore
  /** Entries of an archive that can go on; one of more is made as it is sent, and begins again. */
  readonly mostEntries: number
}

export const MOST_ENTRIES = 200_000
export const HOUR_MS = 3_600_000
/** How long a reader without the ETag may come back, and what was read for a checksum is kept. */
const STARTS_KEPT_MS = 7 * 24 * HOUR_MS
const CHECKSUMS_KEPT_MS = 30 * 24 * HOUR_MS
/** After a file changed under a download the next one takes the files as they come. */
const MOVING_MS = 12 * HOUR_MS

export interface ZipDeps {
  readonly sender: Sender
  readonly state: Pick<ServerState, 'requireOpen'>
  readonly zips: Zips
}

/** What is known of an archive before its first byte leaves. */
export interface Zipped {
  readonly etag: string
  /** Bytes of the files in it. */
  readonly contentBytes: number
}

export interface ZipRequest {
  readonly found: readonly NamedEntry[]
  /** Without its ending. */
  readonly name: string
  /** Who reads what: tells whoever goes on without an ETag, such as `curl -C -`, from others. */
  readonly reader: readonly string[]
  /** Called with the first byte that will leave; without the archive when nobody knows yet what will be in it. */
  readonly report: (start: number, zip?: Zipped) => Promise<void>
}

/**
 * Sends a selection as a zip. It is a function of its files: as long as those stay, any range of it can be asked for, and a reader
 * goes on where it was. When one changes on the way the connection is cut, so that nobody takes two halves for a whole; the next
 * download of the same reader then takes the files as they come, and cannot go on.
 * @throws AppError RANGE_INVALID, SERVER_PAUSED and what `report` throws, before anything was sent; after that the connection is cut
 */
export async function sendZip(deps: ZipDeps, request: ZipRequest, exchange: SendExchange): Promise<void> {
  const { db, clock, mostEntries } = deps.zips
  const { req, res, signal, locale } = exchange
  const reader = createHash('sha256').update(JSON.stringify(request.reader)).digest('base64url')
  const began = await archivesStore.start(db, reader)
  const isMoving = began?.is_moving === 1 && clock.now() - Number(began.at) < MOVING_MS
  const plan = isMoving
    ? undefined
    : await patiently(res, planArchive(request.found, { signal, locale, most: mostEntries }))
  const note = async (row: Pick<ArchiveStartsTable, 'etag' | 'is_moving'>): Promise<void> => {
    if (req.method !== 'HEAD') await archivesStore.putStart(db, { reader, at: clock.now(), ...row })
  }
  if (plan === undefined) {
    if (asksForRest(exchange)) deps.state.requireOpen()
    await note({ etag: '', is_moving: 0 })
    return sendAsItComes(deps, request, exchange)
  }
  if (matchesEtag(req.headers['if-none-match'], plan.etag)) {
    res.writeHead(304, headersOf(request, plan)).end()
    return
  }
  const span = spanOf(plan, exchange, began?.etag)
  if (span === undefined && asksForRest(exchange)) deps.state.requireOpen()
  // Whoever asked for a later part and gets the whole may throw it away, and still has a part of another version.
  const isBegin = span === undefined ? !asksForRest(exchange) : span.start === 0
  await request.report(span?.start ?? 0, plan)
  if (isBegin || began?.etag === plan.etag) await note({ etag: plan.etag, is_moving: 0 })
  try {
    await sendPlanned(deps, { request, plan, span }, exchange)
  } catch (thrown) {
    if (isChange(thrown)) await note({ etag: '', is_moving: 1 })
    throw thrown
  }
}

/** Forgets what nobody will come back for. */
export async function forgetArchives({ db, clock }: Pick<Zips, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await archivesStore.forget(db, { checksums: now - CHECKSUMS_KEPT_MS, starts: now - STARTS_KEPT_MS })
}

function asksForRest({ req }: SendExchange): boolean {
  return req.headers.range !== undefined && !/^bytes=\s*0*-?0*-/.test(req.headers.range)
}

/** @returns undefined to send the whole @throws AppError RANGE_INVALID */
function spanOf(plan: ArchivePlan, { req, res }: SendExchange, begunEtag: string | undefined): Span | undefined {
  const { totalBytes } = plan.layout
  const ifRange = req.headers['if-range']?.toString()
  if (!rangeStillHolds(ifRange, plan.etag)) return undefined
  const span = parseRange(req.headers.range, totalBytes)
  if (span === undefined) return undefined
  // Nothing in a later range tells which version its reader has the beginning of, unless it says so or got it from here.
  const isBegin = span !== 'none' && span.start === 0
  if (!isBegin && ifRange === undefined && begunEtag !== plan.etag) return undefined
  if (span !== 'none') return span
  res.setHeader('content-range', `bytes */${totalBytes}`)
  throw new AppError('RANGE_INVALID', { size: totalBytes })
}

function headersOf({ name }: ZipRequest, plan?: ArchivePlan): Readonly<Record<string, string>> {
  return {
    ...SAFE_HEADERS,
    ...(plan === undefined ? {} : { etag: plan.etag, 'accept-ranges': 'bytes' }),
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`${name}.zip`),
  }
}

async function sendAsItComes(deps: ZipDeps, request: ZipRequest, exchange: SendExchange): Promise<void> {
  await request.report(0)
  exchange.res.writeHead(200, headersOf(request))
  if (exchange.req.method !== 'HEAD') await sendArchive(deps.sender, request.found, exchange)
  await finished(exchange.res)
}

interface Planned {
  readonly request: ZipRequest
  readonly plan: ArchivePlan
  readonly span: Span | undefined
}

async function sendPlanned(deps: ZipDeps, planned: Planned, exchange: SendExchange): Promise<void> {
  const { request, plan, span } = planned
  const { req, res } = exchange
  const { totalBytes } = plan.layout
  const sent = span ?? { start: 0, end: totalBytes }
  res.writeHead(span ? 206 : 200, {
    ...headersOf(request, plan),
    'content-length': sent.end - sent.start,
    ...(span ? { 'content-range': `bytes ${span.start}-${span.end - 1}/${totalBytes}` } : {}),
  })
  if (req.method !== 'HEAD') await new PlannedSending(deps, plan, exchange).send(sent)
  await finished(res)
}

/** Whether a file of the archive is not what it was when the archive was planned. */
function isChange(thrown: unknown): boolean {
  return thrown instanceof StorageError && ['conflict', 'not-found', 'permission', 'is-folder'].includes(thrown.reason)
}
