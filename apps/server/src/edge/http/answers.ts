import { STATUS_CODES, type ServerResponse } from 'node:http'
import { pickLocale } from '@godwit/i18n'
import { failureFields, type Ctx, type Log } from '../../kernel/context.ts'
import { failureBody, toAppError, type AppError } from '../../kernel/errors.ts'

/** Headers of every answer: no sniffing, no framing, no referrer to other sites. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** The connection ended before the request was read or answered. */
export class CallerGone extends Error {
  constructor() {
    super('the caller went away')
    this.name = 'CallerGone'
  }
}

type Caller = Pick<Ctx, 'locale' | 'requestId'> & Partial<Pick<Ctx, 'signal'>>

/** Logs what deserves it and returns the error to answer with. */
export function noteFailure(log: Log, caller: Caller, thrown: unknown): AppError {
  const error = toAppError(thrown)
  const { requestId } = caller
  if (error.code === 'INTERNAL' && (thrown instanceof CallerGone || caller.signal?.aborted === true)) {
    // Whatever failed, it failed because nobody was there any more: no fault of the server, and no stack.
    log.info({ requestId, reason: thrown instanceof Error ? thrown.message : '' }, 'the caller went away')
  } else if (error.code === 'SERVER_BUSY') {
    log.info({ requestId, code: error.code }, 'request refused: no memory left for it')
  } else if (error.status >= 500) {
    log.error(failureFields(caller, error), 'request failed')
  }
  return error
}

/** Ends a raw exchange with the error envelope; when the answer already began, only cutting the connection is honest. */
export function sendFailure(res: ServerResponse, ctx: Pick<Ctx, 'locale' | 'requestId'>, error: AppError): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const body = JSON.stringify(failureBody(ctx, error))
  res.writeHead(error.status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': ctx.requestId,
    ...retryAfter(error),
  })
  res.end(body)
}

/** A whole answer as bytes, for connections that carry no request. */
export function plainFailure(error: AppError): string {
  const body = JSON.stringify(failureBody({ requestId: '-', locale: pickLocale(undefined) }, error))
  const retry = Object.entries(retryAfter(error)).map(([name, value]) => `${name}: ${value}`)
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...retry,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

export function retryAfter(error: AppError): Record<string, string> {
  const seconds = error.details?.['retryAfterSeconds']
  return typeof seconds === 'number' && error.status !== 400 ? { 'retry-after': String(seconds) } : {}
}
