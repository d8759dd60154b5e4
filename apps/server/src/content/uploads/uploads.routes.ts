import type { IncomingMessage, ServerResponse } from 'node:http'
import { uploadRoutes } from '@godwit/contract'
import type { Ctx } from '../../kernel/context.ts'
import { placeFor } from '../access/index.ts'
import { endpoint, type Endpoint, type RawEndpoint, type RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { validInput } from '../../kernel/valid-input.ts'
import { closing, lengthOf, placeIdsOfRow, shownTo, uploaderOf, type Intake } from '../intake/index.ts'
import type { SealedBodies } from '../sealed-bodies/index.ts'
import { receivePack, type PackDeps } from './packs.service.ts'
import { presentUpload } from './uploads.present.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'

export function uploadEndpoints(intake: Intake): Endpoint[] {
  const { access } = intake.files
  const abort = async (ctx: Ctx, { params }: { readonly params: { readonly uploadId: string } }) => {
    await intake.abort((await intake.open(ctx, params.uploadId)).live)
    return {}
  }
  return [
    endpoint(uploadRoutes.create, async (ctx, { body }) => {
      const by = await uploaderOf(access, ctx)
      const conflict = by.isGuest ? 'keep-both' : body.conflict
      const wanted = { ...body, ...by.target(body), conflict, carrier: 'parts' } as const
      const { live, grant, resumed } = await intake.create(by.ctx, wanted)
      return { ...presentUpload(live, by.shown), grant, resumed }
    }),
    endpoint(uploadRoutes.status, async (ctx, { params }) => {
      const { live, principal } = await intake.open(ctx, params.uploadId)
      return presentUpload(live, await shownTo(access, principal))
    }),
    endpoint(uploadRoutes.complete, async (ctx, { params, body }) => {
      const { live, principal } = await intake.open(ctx, params.uploadId)
      const { conflict: _never, ...guests } = body
      const result = await intake.complete(live, principal.kind === 'guest' ? guests : body)
      return { ...result, path: (await shownTo(access, principal))(result.path) }
    }),
    endpoint(uploadRoutes.abort, abort),
    endpoint(uploadRoutes.abortTwin, abort),
    endpoint(uploadRoutes.mine, async (ctx) => {
      const by = await uploaderOf(access, ctx)
      const { principal } = by.ctx
      const found =
        principal.kind === 'guest'
          ? await intake.unfinishedOfVisit(principal.visitId)
          : await intake.unfinishedOf(principal.id)
      return { items: found.map((live) => presentUpload(live, by.shown)) }
    }),
  ]
}

export interface RawUploadDeps extends PackDeps {
  readonly sealed: SealedBodies
}

export function uploadRawEndpoints(deps: RawUploadDeps): RawEndpoint[] {
  const { intake, sealed } = deps
  return [
    { spec: uploadRoutes.part, takesBytes: true, handle: (ctx, exchange) => receivePart(deps, ctx, exchange) },
    {
      spec: uploadRoutes.pack,
      takesBytes: true,
      handle: async (ctx, { req, res, body, query }) => {
        const { access } = intake.files
        const by = await uploaderOf(access, ctx)
        const asked = parsePackQuery(query)
        const wanted = { ...asked, ...by.target(asked) }
        // Before a byte of the body is kept.
        await intake.requireWeb(by.ctx.principal, wanted.spaceId)
        await intake.requireBegin(by.ctx, asked.transferId)
        await access.open(ctx, placeFor(by.ctx.principal, wanted), wanted.folder, 'uploadFile')
        const { principal } = by.ctx
        const { signal, source } = intake.watch(ctx, { body, principal, place: wanted, target: wanted })
        const stored = await closing(body, () => {
          const opened = sealed.open(req, 'pack', { source, length: lengthOf(req) })
          return receivePack(deps, by.ctx, { ...wanted, ...opened, signal })
        })
        const results = stored.map((one) => ({ ...one, path: one.path === '' ? '' : by.shown(one.path) }))
        answer(res, { results })
      },
    },
  ]
}

async function receivePart(
  { intake, sealed }: RawUploadDeps,
  ctx: Ctx,
  { req, res, body, params }: RawExchange,
): Promise<void> {
  await closing(body, async () => {
    const uploadId = params['uploadId'] ?? ''
    const { live, principal } = await intake.open(ctx, uploadId)
    const offset = parseOffset(params['offset'] ?? '')
    const { row } = live
    const { signal, source } = intake.watch(ctx, { body, principal, place: placeIdsOfRow(row), target: row })
    const keepAlive = intake.keepSessionAlive(sessionIdOf(principal))
    try {
      const opened = sealed.open(req, { uploadId, offset }, { source, length: lengthOf(req) })
      const receipt = await intake.write(live, { offset, ...opened, partHash: partHashOf(req), signal })
      answer(res, receipt)
    } finally {
      keepAlive()
    }
  })
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
  return validInput(uploadRoutes.pack.query, Object.fromEntries(query))
}
