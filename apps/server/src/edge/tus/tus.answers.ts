import type { ServerResponse } from 'node:http'
import type { ErrorName } from '@godwit/contract'
import { failureFields, type Ctx, type Log } from '../../kernel/context.ts'
import { AppError, failureBody, toAppError } from '../../kernel/errors.ts'
import { TUS_VERSION } from './tus.headers.ts'

export type Headers = Readonly<Record<string, string>>

const EVERY: Headers = {
  'tus-resumable': TUS_VERSION,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** A request that the protocol itself refuses, with the status it asks for. */
export class Refusal extends AppError {
  readonly headers: Headers
  readonly #status: number

  constructor(status: number, code: ErrorName, headers: Headers = {}) {
    super(code)
    this.name = 'Refusal'
    this.#status = status
    this.headers = headers
  }

  override get status(): number {
    return this.#status
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
  FILE_LOCKED: 423,
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
  const error = toAppError(thrown)
  const refusal = error instanceof Refusal ? error : undefined
  const status = refusal?.status ?? STATUS[error.code] ?? error.status
  if (status >= 500) log.error(failureFields(ctx, error), 'an upload request failed')
  const body = JSON.stringify(failureBody(ctx, error))
  res.writeHead(status, {
    ...EVERY,
    ...refusal?.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': ctx.requestId,
  })
  res.end(body)
}
