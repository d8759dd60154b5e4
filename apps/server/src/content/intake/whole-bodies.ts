import type { IncomingMessage } from 'node:http'
import { MiB } from '@godwit/base'
import type { UploadResult } from '@godwit/contract'
import type { ByteSource } from '@godwit/storage'
import { sessionIdOf } from '../../identity/principals/index.ts'
import type { UploaderCtx } from '../../kernel/context.ts'
import type { RequestBytes } from '../../kernel/endpoint.ts'
import { placeIdsOfRow } from './buckets.ts'
import { appendBytes, declareLength } from './intake.append.ts'
import { completeUpload } from './intake.completion.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { abortUpload } from './intake.transitions.ts'
import type { LiveUpload } from './live-uploads.ts'
import { keepSessionAlive, lengthOf, watchedBody } from './request-bodies.ts'
import { keepOpen } from './unresumed.ts'

/** Bytes of a body without a length that are taken at once: as many as are there are reserved, and no more. */
const SLICE_BYTES = 2 * MiB

/** A request whose body is the whole of a file. */
export interface WholeBody {
  readonly req: IncomingMessage
  readonly body: RequestBytes
  readonly live: LiveUpload
  /** Tag of the content that it replaces, where that matters. */
  readonly replaces?: string | undefined
}

/**
 * Takes a file that comes as the body of one request, with a length or without. Nobody comes back for a part of it, so what
 * breaks leaves nothing.
 * @throws AppError as appendBytes() and completeUpload()
 */
export async function takeWhole(deps: IntakeDeps, ctx: UploaderCtx, whole: WholeBody): Promise<UploadResult> {
  const { live, replaces } = whole
  try {
    await receive(deps, ctx, whole)
    return await completeUpload(deps, live, { replaces })
  } catch (thrown) {
    await giveUp(deps, live, thrown)
    throw thrown
  }
}

async function receive(deps: IntakeDeps, ctx: UploaderCtx, { req, body, live }: WholeBody): Promise<void> {
  const { principal } = ctx
  const { row } = live
  const { source, signal } = watchedBody(deps, ctx, { body, principal, place: placeIdsOfRow(row), target: row })
  const ends = [keepSessionAlive(deps, sessionIdOf(principal)), keepOpen(deps, live)]
  const take = (part: { readonly offset: number; readonly length: number; readonly source: ByteSource }) =>
    appendBytes(deps, live, { ...part, check: undefined, signal })
  try {
    const length = lengthOf(req)
    if (length !== undefined) {
      if (length > 0) await take({ offset: 0, length, source })
      return
    }
    let offset = 0
    for await (const slice of slicesOf(source)) {
      offset = await take({ offset, length: slice.length, source: onceOf(slice) })
    }
    await declareLength(deps, live, offset)
  } finally {
    for (const end of ends) end()
  }
}

async function* slicesOf(source: ByteSource): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < SLICE_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

async function* onceOf(slice: Uint8Array): AsyncGenerator<Uint8Array> {
  yield slice
}

/** Where nobody knows whether the file was shown, the intake finds out by itself. */
async function giveUp(deps: IntakeDeps, live: LiveUpload, cause: unknown): Promise<void> {
  if (live.state !== 'open') return
  try {
    await abortUpload(deps, live)
  } catch (thrown) {
    deps.log.warn({ err: thrown, cause, uploadId: live.id }, 'an upload by one request was not given up yet')
  }
}
