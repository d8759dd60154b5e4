import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../../kernel/context.ts'
import { AppError, failureBody, type ErrorDetails } from '../../kernel/errors.ts'
import { noteFailure, plainFailure, retryAfter, SECURITY_HEADERS } from './answers.ts'
import { anonymousCaller } from './context.ts'

/** Every failure of a request gets the same envelope: those of features, and the framework's own refusals. */
export function answerErrors(fastify: FastifyInstance, log: Log): void {
  fastify.setErrorHandler((thrown, request, reply) => {
    const caller = callerOf(request)
    const error = noteFailure(log, caller, fromFramework(thrown))
    return reply
      .code(error.status)
      .headers({
        ...SECURITY_HEADERS,
        'cache-control': 'no-store',
        'x-request-id': caller.requestId,
        ...retryAfter(error),
      })
      .send(failureBody(caller, error))
  })
  fastify.setNotFoundHandler((request, reply) => {
    const error = new AppError('ROUTE_NOT_FOUND')
    return reply
      .code(error.status)
      .headers(SECURITY_HEADERS)
      .send(failureBody(anonymousCaller(request.raw), error))
  })
}

function callerOf(request: FastifyRequest) {
  return request.admitted?.ctx ?? anonymousCaller(request.raw)
}

/** Malformed JSON, a wrong content type, a body that is too large. */
function fromFramework(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 413) return new AppError('BODY_TOO_LARGE', undefined, { cause: thrown })
  if (status === 415) return new AppError('CONTENT_TYPE_UNSUPPORTED', undefined, { cause: thrown })
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('PARAMETER_INVALID', ruleOf(thrown), { cause: thrown })
  }
  return thrown
}

/** Which rule of a body was broken: that it is JSON, that it is there. Other messages repeat what was sent. */
function ruleOf(thrown: unknown): ErrorDetails | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined
  return String(thrown.code).startsWith('FST_ERR_CTP_') ? { field: '', rule: thrown.message } : undefined
}

/** What is no HTTP never becomes a request, and is answered with the same envelope all the same. */
export function answerBrokenRequest(
  error: Error & { readonly code?: string; readonly reason?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(plainFailure(fromParser(error)), () => socket.destroy())
}

function fromParser({ code, reason, message }: Error & { readonly code?: string; readonly reason?: string }): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('HEADERS_TOO_LARGE')
  // Nothing is wrong with what came so far: a caller that was asleep sends it again.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('REQUEST_TIMEOUT')
  return new AppError('PARAMETER_INVALID', { field: '', rule: reason ?? message })
}
