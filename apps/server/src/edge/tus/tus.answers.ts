import type { ServerResponse } from 'node:http'
import type { ErrorName } from '@godwit/contract'
import { failureFields, type Ctx, type Log } from '../../kernel/context.ts'
import { toAppError } from '../../kernel/errors.ts'
import { failureBody } from '../http/index.ts'
import { TUS_VERSION } from './tus.headers.ts'

export type Headers = Readonly<Record<string, string>>

const EVERY: Headers = {
  'tus-resumable': TUS_VERSION,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** A request that the protocol itself refuses, before any rule of the product. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Headers

  constructor(status: number, message: string, headers: Headers = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.headers = headers
  }
}

export function answer(res: ServerResponse, status: number, headers: Headers = {}): void {
  res.writeHead(status, { ...EVERY, ...headers, ...(status === 204 ? {} : { 'content-length': '0' }) })
  res.end()
}

/** tus 1.0 fixes some statuses; everything else keeps its own. 409 is left to offsets, because clients retry it. */
const STATUS: Partial<Readonly<Record<ErrorName, number>>> = {
  TOKEN_INVALID: 401,
  PERMISSION_DENIED: 403,
  UPLOAD_EXPIRED: 410,
  UPLOAD_HASH_MISMATCH: 460,
  UPLOAD_BUSY: 423,
}

/** Ends the request with what went wrong, in the status codes of the protocol. */
export function answerFault(
  { ctx, log }: { readonly ctx: Ctx; readonly log: Log },
  res: ServerResponse,
  thrown: unknown,
): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  if (thrown instanceof Refusal) {
    send(res, thrown.status, { ...thrown.headers, 'content-type': 'text/plain; charset=utf-8' }, thrown.message)
    return
  }
  const error = toAppError(thrown)
  const status = STATUS[error.code] ?? error.status
  if (status >= 500) log.error(failureFields(ctx, error), 'an upload request failed')
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': ctx.requestId }
  send(res, status, headers, JSON.stringify(failureBody(ctx, error)))
}

function send(res: ServerResponse, status: number, headers: Headers, body: string): void {
  res.writeHead(status, { ...EVERY, ...headers, 'content-length': String(Buffer.byteLength(body)) })
  res.end(body)
}
