import type { ServerResponse } from 'node:http'
import { failureFields, type Ctx, type Log } from '../../kernel/context.ts'
import { failureBody, toAppError, type AppError } from '../../kernel/errors.ts'

/** Headers of every answer: no sniffing, no framing, no referrer to other sites. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Logs what deserves it and returns the error to answer with. */
export function noteFailure(log: Log, ctx: Pick<Ctx, 'requestId'>, thrown: unknown): AppError {
  const error = toAppError(thrown)
  if (error.status >= 500) log.error(failureFields(ctx, error), 'request failed')
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

export function retryAfter(error: AppError): Record<string, string> {
  const seconds = error.details?.['retryAfterSeconds']
  return typeof seconds === 'number' && error.status !== 400 ? { 'retry-after': String(seconds) } : {}
}
