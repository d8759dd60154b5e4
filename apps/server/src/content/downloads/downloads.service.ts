import type { ServerResponse } from 'node:http'
import type { OperationReply } from '@godwit/contract'
import type { ObjectReader } from '@godwit/storage'
import { create as contentDisposition } from 'content-disposition'
import type { UserCtx } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import {
  locate,
  nameOf,
  requireEntry,
  requirePermission,
  type FilesDeps,
  type Found,
  type Place,
} from '../files/index.ts'
import { matchesEtag, parseRange, rangeStillHolds } from './downloads.ranges.ts'
import { walkSelection } from './downloads.selection.ts'
import { cutWhenStalled, write, type Sender } from './downloads.send.ts'
import { ZipWriter } from './downloads.zip.ts'
import type { Tickets } from '../../identity/tickets/index.ts'

export interface DownloadsDeps {
  readonly files: FilesDeps
  readonly sender: Sender
  readonly tickets: Tickets<Wanted>
  /** The principal with the rights of now; undefined when there are none left. */
  readonly renew: (principal: AccountPrincipal) => Promise<AccountPrincipal | undefined>
}

/** A caller's files to be sent. */
export interface Wanted {
  readonly principal: AccountPrincipal
  readonly place: Place
  readonly paths: readonly string[]
}

/**
 * A plain link to entries.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED
 */
export async function issueTicket(
  deps: DownloadsDeps,
  ctx: UserCtx,
  { spaceId, groupId, paths }: Place & { readonly paths: readonly string[] },
): Promise<OperationReply<'download'>> {
  const place = { spaceId, groupId }
  await findAll(deps, { principal: ctx.principal, place, paths })
  const { ticket, expiresAt } = deps.tickets.issue({ principal: ctx.principal, place, paths })
  return { ticket, url: `/api/files/content?ticket=${ticket}`, expiresAt: Math.floor(expiresAt / 1000) }
}

async function findAll(deps: DownloadsDeps, { principal, place, paths }: Wanted): Promise<Found[]> {
  requirePermission(principal, 'download')
  const found: Found[] = []
  for (const path of paths) found.push(await requireEntry(locate(deps.files.storages, principal, place, path)))
  return found
}

/**
 * Answers with a file as itself, or with several or a folder as a zip.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, RANGE_INVALID before anything was sent; after that the connection is cut
 */
export async function sendContent(
  deps: DownloadsDeps,
  wanted: Wanted,
  exchange: RawExchange & { readonly signal: AbortSignal },
): Promise<void> {
  const found = await findAll(deps, wanted)
  const [only] = found
  cutWhenStalled(exchange.res)
  if (only !== undefined && found.length === 1 && only.entry.kind === 'file') return sendFile(deps, only, exchange)
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

async function sendFile(
  deps: DownloadsDeps,
  { location }: Found,
  exchange: RawExchange & { readonly signal: AbortSignal },
): Promise<void> {
  const reader = await withAppErrors(() => location.store.openRead(location.key))
  try {
    await sendOpened(deps, { reader, name: nameOf(location) }, exchange)
  } catch (thrown) {
    throw storageError(thrown)
  } finally {
    await reader.close()
  }
}

async function sendOpened(
  deps: DownloadsDeps,
  { reader, name }: { readonly reader: ObjectReader; readonly name: string },
  { req, res, signal }: RawExchange & { readonly signal: AbortSignal },
): Promise<void> {
  const { size, modifiedMs } = reader.entry
  const etag = `"${reader.entry.etag}"`
  const headers = {
    ...SAFE_HEADERS,
    etag,
    'accept-ranges': 'bytes',
    'last-modified': new Date(modifiedMs).toUTCString(),
    'content-type': 'application/octet-stream',
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
  res.writeHead(wanted ? 206 : 200, {
    ...headers,
    'content-length': span.end - span.start,
    ...(wanted ? { 'content-range': `bytes ${span.start}-${span.end - 1}/${size}` } : {}),
  })
  if (req.method !== 'HEAD') await deps.sender.send(res, { reader, span, signal })
  await finished(res)
}

async function sendZip(
  deps: DownloadsDeps,
  found: readonly Found[],
  { req, res, signal }: RawExchange & { readonly signal: AbortSignal },
): Promise<void> {
  const [only] = found
  const name = found.length === 1 && only !== undefined ? nameOf(only.location) || 'files' : 'files'
  res.writeHead(200, {
    ...SAFE_HEADERS,
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`${name}.zip`),
  })
  if (req.method !== 'HEAD') await pack(deps, { found, res, signal })
  await finished(res)
}

interface Packing {
  readonly found: readonly Found[]
  readonly res: ServerResponse
  readonly signal: AbortSignal
}

/** A failure on the way is thrown on: the directory is then never written and the connection cut, so nobody takes it for whole. */
async function pack(deps: DownloadsDeps, { found, res, signal }: Packing): Promise<void> {
  const zip = new ZipWriter()
  for await (const item of walkSelection(found, signal)) {
    signal.throwIfAborted()
    const { name, modifiedMs } = item
    if (item.isFolder) {
      await write(res, zip.begin({ name, modifiedMs, size: 0 }))
      await write(res, zip.end())
      continue
    }
    await using reader = await item.location.store.openRead(item.location.key)
    const { size } = reader.entry
    await write(res, zip.begin({ name, modifiedMs: reader.entry.modifiedMs, size }))
    const tap = (chunk: Uint8Array): void => zip.content(chunk)
    await deps.sender.send(res, { reader, span: { start: 0, end: size }, signal, tap })
    await write(res, zip.end())
  }
  for (const piece of zip.finish()) await write(res, piece)
}

/** The reader of the file is kept until the last byte has left. */
function finished(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    res.once('close', resolve)
    res.end(resolve)
  })
}
