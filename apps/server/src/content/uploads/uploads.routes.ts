import type { IncomingMessage, ServerResponse } from 'node:http'
import { uploadRoutes } from '@godwit/contract'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import { requirePermission } from '../files/index.ts'
import {
  endpoint,
  type Endpoint,
  type RawEndpoint,
  type RawExchange,
  type RequestBytes,
} from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { receivePack } from './packs.service.ts'
import { abortUpload, completeUpload } from './uploads.completion.ts'
import { createUpload } from './uploads.creation.ts'
import type { UploadsRoom } from './uploads.deps.ts'
import { openedUpload } from './uploads.grants.ts'
import { writePart } from './uploads.parts.ts'
import { presentUpload } from './uploads.present.ts'
import { uploadsStore } from './uploads.store.ts'

export function uploadEndpoints(room: UploadsRoom): Endpoint[] {
  const abort = async (ctx: Ctx, { params }: { readonly params: { readonly uploadId: string } }) => {
    await abortUpload(room, (await openedUpload(room, ctx, params.uploadId)).live)
    return {}
  }
  return [
    endpoint(uploadRoutes.create, async (ctx, { body }) => {
      const { live, grant, resumed } = await createUpload(room, ctx, { ...body, carrier: 'parts' })
      return { ...presentUpload(live), grant, resumed }
    }),
    endpoint(uploadRoutes.status, async (ctx, { params }) =>
      presentUpload((await openedUpload(room, ctx, params.uploadId)).live),
    ),
    endpoint(uploadRoutes.complete, async (ctx, { params, body }) =>
      completeUpload(room, (await openedUpload(room, ctx, params.uploadId)).live, body),
    ),
    endpoint(uploadRoutes.abort, abort),
    endpoint(uploadRoutes.abortTwin, abort),
    endpoint(uploadRoutes.mine, async (ctx) => {
      const rows = await uploadsStore.openOf(room.db, ctx.actor.userId)
      const found = await Promise.all(rows.map(({ id }) => room.live.get(id)))
      return { items: found.filter((live) => live !== undefined).map(presentUpload) }
    }),
  ]
}

export function uploadRawEndpoints(room: UploadsRoom): RawEndpoint[] {
  return [
    { spec: uploadRoutes.part, takesBytes: true, handle: (ctx, exchange) => receivePart(room, ctx, exchange) },
    {
      spec: uploadRoutes.pack,
      takesBytes: true,
      handle: async (ctx, { req, res, body, query }) => {
        if (ctx.actor === undefined) throw new AppError('TOKEN_INVALID')
        const actor = ctx.actor
        // Before a byte of the body is kept.
        requirePermission(actor, 'upload')
        const { signal, source } = watchedBody(room, ctx, body)
        const wanted = parsePackQuery(query)
        const results = await closing(body, () =>
          receivePack(room, { ...ctx, actor } satisfies UserCtx, { ...wanted, source, length: lengthOf(req), signal }),
        )
        answer(res, { results })
      },
    },
  ]
}

async function receivePart(room: UploadsRoom, ctx: Ctx, { req, res, body, params }: RawExchange): Promise<void> {
  await closing(body, async () => {
    const { live, actor } = await openedUpload(room, ctx, params['uploadId'] ?? '')
    const { signal, source } = watchedBody(room, ctx, body)
    const keepAlive = keepSessionAlive(room, actor.sessionId)
    try {
      const receipt = await writePart(room, live, {
        offset: parseOffset(params['offset'] ?? ''),
        length: lengthOf(req),
        partHash: partHashOf(req),
        source,
        signal,
      })
      answer(res, receipt)
    } finally {
      keepAlive()
    }
  })
}

/** Announced bytes of a body; the parser has already refused anything but digits. */
export function lengthOf(req: IncomingMessage): number | undefined {
  const header = req.headers['content-length']
  return header === undefined ? undefined : Number(header)
}

/** @throws AppError UPLOAD_PART_INVALID */
function parseOffset(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new AppError('UPLOAD_PART_INVALID', { reason: 'offset' })
  return Number(text)
}

/** @throws AppError UPLOAD_PART_INVALID */
function partHashOf(req: IncomingMessage): string | undefined {
  const header = req.headers['x-part-hash']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[0-9a-f]{64}$/i.test(header)) {
    throw new AppError('UPLOAD_PART_INVALID', { reason: 'part-hash' })
  }
  return header
}

/** The body of a request, cut when its sender is too slow. */
export function watchedBody(room: UploadsRoom, ctx: Ctx, body: RequestBytes) {
  const tooSlow = new AbortController()
  const source = room.rates.watch(body, () =>
    tooSlow.abort(new AppError('UPLOAD_PART_INVALID', { reason: 'too-slow' })),
  )
  return { source, signal: AbortSignal.any([ctx.signal, tooSlow.signal]) }
}

/**
 * Runs `work`; when it leaves without having read the body, the sender is given a moment to read the answer and is then cut,
 * so that an unwanted body costs neither memory nor a connection.
 */
export async function closing<T>(body: RequestBytes, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    body.close()
  }
}

/** How often a running part counts as activity of the session that began it. */
const KEEP_ALIVE_MS = 60_000

/** @returns a function that ends it */
export function keepSessionAlive(room: UploadsRoom, sessionId: string): () => void {
  if (sessionId === '') return () => {}
  const touch = (): void => {
    room.sessions.keepAlive(sessionId).catch((thrown: unknown) => {
      room.log.warn({ err: thrown }, 'a session was not kept alive')
    })
  }
  const timer = setInterval(touch, KEEP_ALIVE_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function answer(res: ServerResponse, data: unknown): void {
  const body = JSON.stringify({ code: 200, data })
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  res.end(body)
}

/** @throws AppError PARAMETER_INVALID */
function parsePackQuery(query: URLSearchParams) {
  const parsed = uploadRoutes.pack.query.safeParse(Object.fromEntries(query))
  if (!parsed.success) throw new AppError('PARAMETER_INVALID', { field: parsed.error.issues[0]?.path.join('.') ?? '' })
  return parsed.data
}
