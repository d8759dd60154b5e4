import {
  abortUpload,
  appendBytes,
  closing,
  completeUpload,
  createUpload,
  declareLength,
  joinPieces,
  keepSessionAlive,
  lengthOf,
  openedUpload,
  watchedBody,
  wholePieces,
  type LiveUpload,
  type UploadsRoom,
} from '../../content/uploads/index.ts'
import type { Actor, Ctx } from '../../kernel/context.ts'
import type { RawEndpoint, RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { answer, answerFault, Refusal, type Headers } from './tus.answers.ts'
import { CHECKSUMS, CHUNK_TYPE, TUS_PATH, TUS_VERSION } from './tus.headers.ts'
import { bytesIn, checkIn, concatIn, headerOf, metadataIn } from './tus.headers.ts'
import { wantedFrom } from './tus.wanted.ts'

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

/**
 * tus 1.0 on the sink of all uploads. The protocol's own rules are here; what may be uploaded where is decided in
 * `content/uploads`, and an upload begun here can go on by parts and the other way round.
 */
export function tusEndpoints(room: UploadsRoom): RawEndpoint[] {
  return PATHS.flatMap((path) =>
    METHODS.map((method) => ({
      spec: { method, path, access: 'transfer' as const },
      takesBytes: true,
      handle: (ctx: Ctx, exchange: RawExchange) => serve(room, ctx, exchange),
    })),
  )
}

async function serve(room: UploadsRoom, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { res, body } = exchange
  try {
    await closing(body, () => dispatch(room, ctx, exchange))
  } catch (thrown) {
    if (!ctx.signal.aborted) answerFault({ ctx, log: room.log }, res, thrown)
  }
}

function dispatch(room: UploadsRoom, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { req, params } = exchange
  const method = headerOf(req, 'x-http-method-override')?.toUpperCase() ?? req.method ?? ''
  if (method === 'OPTIONS') return describe(room, exchange)
  if (headerOf(req, 'tus-resumable') !== TUS_VERSION) {
    throw new Refusal(412, 'OPERATION_UNSUPPORTED', { 'tus-version': TUS_VERSION })
  }
  const uploadId = params['uploadId']
  if (uploadId === undefined) {
    if (method === 'POST') return create(room, ctx, exchange)
    if (['HEAD', 'PATCH', 'DELETE'].includes(method)) throw new AppError('UPLOAD_NOT_FOUND')
    throw new Refusal(405, 'ROUTE_NOT_FOUND', { allow: 'OPTIONS, POST' })
  }
  switch (method) {
    case 'HEAD':
      return tell(room, ctx, { exchange, uploadId })
    case 'PATCH':
      return receive(room, ctx, { exchange, uploadId })
    case 'DELETE':
      return terminate(room, ctx, { exchange, uploadId })
    default:
      throw new Refusal(405, 'ROUTE_NOT_FOUND', { allow: 'OPTIONS, HEAD, PATCH, DELETE' })
  }
}

function describe(room: UploadsRoom, { res }: RawExchange): Promise<void> {
  const { maxBytes } = room.limits
  answer(res, 204, {
    'tus-version': TUS_VERSION,
    'tus-extension': EXTENSIONS.join(','),
    'tus-checksum-algorithm': CHECKSUMS.join(','),
    ...(maxBytes > 0 ? { 'tus-max-size': String(maxBytes) } : {}),
  })
  return Promise.resolve()
}

async function create(room: UploadsRoom, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { req, res } = exchange
  const { actor } = ctx
  if (actor === undefined) throw new AppError('TOKEN_INVALID')
  const header = headerOf(req, 'upload-metadata') ?? ''
  const metadata = metadataIn(header)
  const concat = concatIn(headerOf(req, 'upload-concat'))
  const pieces = concat?.kind === 'final' ? await wholePieces(room, actor, concat.ids) : undefined
  const size = pieces === undefined ? announcedSize(req) : sumOf(pieces)
  const kind = concat?.kind ?? 'single'
  const wanted = wantedFrom({ metadata, header, size, kind, newId: () => room.ids.next() })
  const ids = pieces?.map(({ id }) => id)
  const { live, grant } = await createUpload(room, { ...ctx, actor }, ids ? { ...wanted, pieces: ids } : wanted)
  if (pieces !== undefined) await join(room, live, pieces)
  const carriesBytes = pieces === undefined && headerOf(req, 'content-type') === CHUNK_TYPE
  // Told with an error, too: what arrived before it is kept, and the client goes on there.
  res.setHeader('location', `${TUS_PATH}/${live.id}`)
  try {
    if (carriesBytes && live.state === 'open') await append(room, ctx, { exchange, live, actor, offset: 0 })
    else await finishWhenWhole(room, live)
  } catch (thrown) {
    // Nobody would come back for nothing, and its reservation would stay for days.
    if (live.durable.prefix === 0 && !isDone(live)) {
      res.removeHeader('location')
      await abortUpload(room, live)
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
async function join(room: UploadsRoom, live: LiveUpload, pieces: readonly LiveUpload[]): Promise<void> {
  if (live.state === 'open') {
    try {
      await joinPieces(room, live, pieces)
    } catch (thrown) {
      await abortUpload(room, live)
      throw thrown
    }
  }
  for (const piece of pieces) await abortUpload(room, piece)
}

interface OfUpload {
  readonly exchange: RawExchange
  readonly uploadId: string
}

async function tell(room: UploadsRoom, ctx: Ctx, { exchange, uploadId }: OfUpload): Promise<void> {
  const { live } = await openedUpload(room, ctx, uploadId)
  if (live.state === 'aborted') throw terminated()
  if (live.state === 'failed') throw new AppError('UPLOAD_FAILED')
  // Every byte is here but the file was not shown then; a client that only asks for the offset would believe it was.
  await finishWhenWhole(room, live)
  const { size, metadata } = live.row
  answer(exchange.res, 200, {
    'upload-offset': String(offsetOf(live)),
    ...(size === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(size) }),
    ...(metadata === '' ? {} : { 'upload-metadata': metadata }),
    ...concatOf(live),
    ...expiryOf(live),
  })
}

async function receive(room: UploadsRoom, ctx: Ctx, { exchange, uploadId }: OfUpload): Promise<void> {
  const { req, res } = exchange
  if (headerOf(req, 'content-type') !== CHUNK_TYPE) throw new Refusal(415, 'CONTENT_TYPE_UNSUPPORTED')
  const { live, actor } = await openedUpload(room, ctx, uploadId)
  if (live.state === 'aborted') throw terminated()
  if (live.row.carrier === 'tus-final') throw new Refusal(403, 'OPERATION_UNSUPPORTED')
  const offset = bytesIn(headerOf(req, 'upload-offset') ?? '')
  const length = headerOf(req, 'upload-length')
  if (length !== undefined) await declareLength(room, live, bytesIn(length))
  if (isDone(live)) {
    if (offset !== offsetOf(live)) throw new AppError('UPLOAD_OFFSET_CONFLICT', { offset: offsetOf(live) })
  } else {
    await append(room, ctx, { exchange, live, actor, offset })
  }
  answer(res, 204, { 'upload-offset': String(offsetOf(live)), ...expiryOf(live) })
}

interface Append {
  readonly exchange: RawExchange
  readonly live: LiveUpload
  readonly actor: Actor
  readonly offset: number
}

async function append(room: UploadsRoom, ctx: Ctx, { exchange, live, actor, offset }: Append): Promise<void> {
  const { req, body } = exchange
  const check = checkIn(headerOf(req, 'upload-checksum'))
  const { source, signal } = watchedBody(room, ctx, body)
  const letGo = keepSessionAlive(room, actor.sessionId)
  try {
    await appendBytes(room, live, { offset, length: lengthOf(req), check, source, signal })
  } finally {
    letGo()
  }
  await finishWhenWhole(room, live)
}

/** The protocol knows no completion: the last byte is it. Partial uploads only end as pieces of a final one. */
async function finishWhenWhole(room: UploadsRoom, live: LiveUpload): Promise<void> {
  const isWhole = live.state === 'open' && live.row.size !== null && live.durable.prefix === live.row.size
  if (isWhole && live.row.carrier !== 'tus-partial') await completeUpload(room, live, {})
}

async function terminate(room: UploadsRoom, ctx: Ctx, { exchange, uploadId }: OfUpload): Promise<void> {
  const { live } = await openedUpload(room, ctx, uploadId)
  if (live.state === 'aborted') throw terminated()
  await abortUpload(room, live)
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
