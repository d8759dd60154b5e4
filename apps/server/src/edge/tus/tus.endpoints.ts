import {
  closing,
  lengthOf,
  placeIdsOfRow,
  uploaderOf,
  type Intake,
  type LiveUpload,
} from '../../content/intake/index.ts'
import type { Ctx, Log } from '../../kernel/context.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { RawEndpoint, RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import { answer, answerFault, Refusal, type Headers } from './tus.answers.ts'
import { CHECKSUMS, CHUNK_TYPE, TUS_PATH, TUS_VERSION } from './tus.headers.ts'
import { bytesIn, checkIn, concatIn, headerOf, metadataIn } from './tus.headers.ts'
import { wantedFrom } from './tus.wanted.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'

const EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'termination',
  'checksum',
  'expiration',
  'concatenation',
]
const METHODS = ['OPTIONS', 'POST', 'HEAD', 'PATCH', 'DELETE', 'GET', 'PUT'] as const
/** The collection with and without a slash at its end, and an upload. */
const PATHS = [TUS_PATH, `${TUS_PATH}/`, `${TUS_PATH}/:uploadId`]

interface TusDeps {
  readonly intake: Intake
  readonly ids: Ids
  readonly log: Log
}

/**
 * tus 1.0 on the sink of all uploads. The protocol's own rules are here; what may be uploaded where is decided in
 * `content/intake`, and an upload begun here can go on by parts and the other way round.
 */
export function tusEndpoints(deps: TusDeps): RawEndpoint[] {
  return PATHS.flatMap((path) =>
    METHODS.map((method) => ({
      spec: { method, path, access: 'transfer' as const },
      takesBytes: true,
      handle: (ctx: Ctx, exchange: RawExchange) => serve(deps, { ...ctx, door: 'tus' }, exchange),
    })),
  )
}

async function serve(deps: TusDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { res, body } = exchange
  try {
    await closing(body, () => dispatch(deps, ctx, exchange))
  } catch (thrown) {
    if (!ctx.signal.aborted) answerFault({ ctx, log: deps.log }, res, thrown)
  }
}

function dispatch(deps: TusDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { req, params } = exchange
  const method = headerOf(req, 'x-http-method-override')?.toUpperCase() ?? req.method ?? ''
  if (method === 'OPTIONS') return describe(deps, exchange)
  if (headerOf(req, 'tus-resumable') !== TUS_VERSION) {
    throw new Refusal(412, 'OPERATION_UNSUPPORTED', { 'tus-version': TUS_VERSION })
  }
  const uploadId = params['uploadId']
  if (uploadId === undefined) {
    if (method === 'POST') return create(deps, ctx, exchange)
    if (['HEAD', 'PATCH', 'DELETE'].includes(method)) throw new AppError('UPLOAD_NOT_FOUND')
    throw new Refusal(405, 'ROUTE_NOT_FOUND', { allow: 'OPTIONS, POST' })
  }
  switch (method) {
    case 'HEAD':
      return answerStatus(deps, ctx, { exchange, uploadId })
    case 'PATCH':
      return receive(deps, ctx, { exchange, uploadId })
    case 'DELETE':
      return terminate(deps, ctx, { exchange, uploadId })
    default:
      throw new Refusal(405, 'ROUTE_NOT_FOUND', { allow: 'OPTIONS, HEAD, PATCH, DELETE' })
  }
}

function describe(deps: TusDeps, { res }: RawExchange): Promise<void> {
  const { maxBytes } = deps.intake.limits
  answer(res, 204, {
    'tus-version': TUS_VERSION,
    'tus-extension': EXTENSIONS.join(','),
    'tus-checksum-algorithm': CHECKSUMS.join(','),
    ...(maxBytes > 0 ? { 'tus-max-size': String(maxBytes) } : {}),
  })
  return Promise.resolve()
}

async function create(deps: TusDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { req, res } = exchange
  const by = await uploaderOf(deps.intake.files.access, ctx)
  const { principal } = by.ctx
  const header = headerOf(req, 'upload-metadata') ?? ''
  const metadata = metadataIn(header)
  const concat = concatIn(headerOf(req, 'upload-concat'))
  const pieces = concat?.kind === 'final' ? await deps.intake.wholePieces(principal, concat.ids) : undefined
  const size = pieces === undefined ? announcedSize(req) : sumOf(pieces)
  const kind = concat?.kind ?? 'single'
  const asked = wantedFrom({ metadata, header, size, kind, newId: () => deps.ids.next() })
  // Guests never replace what is there, and never learn of it.
  const wanted = by.isGuest ? { ...asked, ...by.target(asked), conflict: 'keep-both' as const } : asked
  const ids = pieces?.map(({ id }) => id)
  const { live, grant } = await deps.intake.create(by.ctx, ids ? { ...wanted, pieces: ids } : wanted)
  if (pieces !== undefined) await join(deps, live, pieces)
  const carriesBytes = pieces === undefined && headerOf(req, 'content-type') === CHUNK_TYPE
  // Told with an error, too: what arrived before it is kept, and the client goes on there.
  res.setHeader('location', `${TUS_PATH}/${live.id}`)
  try {
    if (carriesBytes && live.state === 'open') await append(deps, ctx, { exchange, live, principal, offset: 0 })
    else await finishWhenWhole(deps, live)
  } catch (thrown) {
    // Nobody would come back for nothing, and its reservation would stay for days.
    if (live.durable.prefix === 0 && !isDone(live)) {
      res.removeHeader('location')
      await deps.intake.abort(live)
    }
    throw thrown
  }
  answer(res, 201, {
    'x-upload-grant': grant,
    ...(carriesBytes ? { 'upload-offset': String(offsetOf(live)) } : {}),
    ...expiryOf(live),
  })
}

/** @throws AppError UPLOAD_SIZE_INVALID unless exactly one of length and deferral is given */
function announcedSize(req: RawExchange['req']): number | null {
  const length = headerOf(req, 'upload-length')
  const deferred = headerOf(req, 'upload-defer-length')
  if ((length === undefined) === (deferred === undefined)) throw new AppError('UPLOAD_SIZE_INVALID')
  if (length !== undefined) return bytesIn(length)
  if (deferred !== '1') throw new AppError('UPLOAD_SIZE_INVALID')
  return null
}

function sumOf(pieces: readonly LiveUpload[]): number {
  return pieces.reduce((bytes, { row }) => bytes + (row.size ?? 0), 0)
}

/** The final upload is the only one that stays; when it cannot be made, the partial ones do. */
async function join(deps: TusDeps, live: LiveUpload, pieces: readonly LiveUpload[]): Promise<void> {
  if (live.state === 'open') {
    try {
      await deps.intake.join(live, pieces)
    } catch (thrown) {
      await deps.intake.abort(live)
      throw thrown
    }
  }
  for (const piece of pieces) await deps.intake.abort(piece)
}

interface OfUpload {
  readonly exchange: RawExchange
  readonly uploadId: string
}

async function answerStatus(deps: TusDeps, ctx: Ctx, { exchange, uploadId }: OfUpload): Promise<void> {
  const { live } = await deps.intake.open(ctx, uploadId)
  if (live.state === 'aborted') throw terminated()
  if (live.state === 'failed') throw new AppError('UPLOAD_FAILED')
  // Every byte is here but the file was not shown then; a client that only asks for the offset would believe it was.
  await finishWhenWhole(deps, live)
  const { size, metadata } = live.row
  answer(exchange.res, 200, {
    'upload-offset': String(offsetOf(live)),
    ...(size === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(size) }),
    ...(metadata === '' ? {} : { 'upload-metadata': metadata }),
    ...concatOf(live),
    ...expiryOf(live),
  })
}

async function receive(deps: TusDeps, ctx: Ctx, { exchange, uploadId }: OfUpload): Promise<void> {
  const { req, res } = exchange
  if (headerOf(req, 'content-type') !== CHUNK_TYPE) throw new Refusal(415, 'CONTENT_TYPE_UNSUPPORTED')
  const { live, principal } = await deps.intake.open(ctx, uploadId)
  if (live.state === 'aborted') throw terminated()
  if (live.row.carrier === 'tus-final') throw new Refusal(403, 'OPERATION_UNSUPPORTED')
  const offset = bytesIn(headerOf(req, 'upload-offset') ?? '')
  const length = headerOf(req, 'upload-length')
  if (length !== undefined) await deps.intake.declareLength(live, bytesIn(length))
  if (isDone(live)) {
    if (offset !== offsetOf(live)) throw new AppError('UPLOAD_OFFSET_CONFLICT', { offset: offsetOf(live) })
  } else {
    await append(deps, ctx, { exchange, live, principal, offset })
  }
  answer(res, 204, { 'upload-offset': String(offsetOf(live)), ...expiryOf(live) })
}

interface Append {
  readonly exchange: RawExchange
  readonly live: LiveUpload
  readonly principal: Principal
  readonly offset: number
}

async function append(deps: TusDeps, ctx: Ctx, { exchange, live, principal, offset }: Append): Promise<void> {
  const { req, body } = exchange
  const check = checkIn(headerOf(req, 'upload-checksum'))
  const { row } = live
  const { source, signal } = deps.intake.watch(ctx, { body, principal, place: placeIdsOfRow(row), target: row })
  const letGo = deps.intake.keepSessionAlive(sessionIdOf(principal))
  try {
    await deps.intake.append(live, { offset, length: lengthOf(req), check, source, signal })
  } finally {
    letGo()
  }
  await finishWhenWhole(deps, live)
}

/** The protocol knows no completion: the last byte is it. Partial uploads only end as pieces of a final one. */
async function finishWhenWhole(deps: TusDeps, live: LiveUpload): Promise<void> {
  const isWhole = live.state === 'open' && live.row.size !== null && live.durable.prefix === live.row.size
  if (isWhole && live.row.carrier !== 'tus-partial') await deps.intake.complete(live, {})
}

async function terminate(deps: TusDeps, ctx: Ctx, { exchange, uploadId }: OfUpload): Promise<void> {
  const { live } = await deps.intake.open(ctx, uploadId)
  if (live.state === 'aborted') throw terminated()
  await deps.intake.abort(live)
  answer(exchange.res, 204)
}

function terminated(): Refusal {
  return new Refusal(410, 'UPLOAD_NOT_FOUND')
}

function isDone(live: LiveUpload): boolean {
  return live.state === 'completed' || live.state === 'skipped'
}

function offsetOf(live: LiveUpload): number {
  return isDone(live) ? (live.row.size ?? 0) : live.durable.prefix
}

function expiryOf(live: LiveUpload): Headers {
  return isDone(live) ? {} : { 'upload-expires': new Date(live.row.expires_at).toUTCString() }
}

function concatOf(live: LiveUpload): Headers {
  if (live.row.carrier === 'tus-partial') return { 'upload-concat': 'partial' }
  if (live.row.carrier !== 'tus-final') return {}
  const ids = JSON.parse(live.row.pieces) as string[]
  return { 'upload-concat': `final;${ids.map((id) => `${TUS_PATH}/${id}`).join(' ')}` }
}
