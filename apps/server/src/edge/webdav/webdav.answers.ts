import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { ErrorName } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import type { Ctx } from '../../kernel/context.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { escapeXml } from '../../kernel/xml.ts'

export type Headers = Readonly<Record<string, string | number>>

const EVERY: Headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': 'no-store',
}

const XML_TYPE = 'application/xml; charset=utf-8'
const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'

/** A request that the protocol itself refuses, with the status it asks for. */
export class Refusal extends AppError {
  readonly headers: Headers
  /** Name of the precondition that did not hold, RFC 4918 §16. */
  readonly precondition: string | undefined
  readonly #status: number

  constructor(
    status: number,
    code: ErrorName,
    { precondition, headers = {} }: { readonly precondition?: string; readonly headers?: Headers } = {},
  ) {
    super(code)
    this.name = 'Refusal'
    this.#status = status
    this.headers = headers
    this.precondition = precondition
  }

  override get status(): number {
    return this.#status
  }
}

/** RFC 4918 and RFC 9110 fix these; what is not here keeps its own. */
const STATUS: Partial<Readonly<Record<ErrorName, number>>> = {
  TOKEN_INVALID: 401,
  PASSWORD_WRONG: 401,
  ACCOUNT_LOCKED: 429,
  PERMISSION_DENIED: 403,
  SITE_ACCESS_DENIED: 403,
  FILE_TYPE_NOT_ALLOWED: 403,
  TARGET_INSIDE_SOURCE: 403,
  PATH_NOT_FOUND: 404,
  NO_SPACE: 404,
  GROUP_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  PATH_EXISTS: 405,
  PATH_IS_FILE: 409,
  NAME_CASE_CLASH: 409,
  UPLOAD_BUSY: 409,
  FILE_CHANGED: 412,
  CONTENT_TYPE_UNSUPPORTED: 415,
  FILE_LOCKED: 423,
  FILE_BUSY: 503,
  OPERATION_UNSUPPORTED: 502,
  FILE_LOCK_LIMIT: 507,
  QUOTA_EXCEEDED: 507,
}

const PRECONDITIONS: Partial<Readonly<Record<ErrorName, string>>> = {
  FILE_LOCKED: 'lock-token-submitted',
  QUOTA_EXCEEDED: 'quota-not-exceeded',
  STORAGE_FULL: 'sufficient-disk-space',
}

export function statusOf(error: AppError): number {
  return error instanceof Refusal ? error.status : (STATUS[error.code] ?? error.status)
}

export function answer(res: ServerResponse, status: number, headers: Headers = {}): void {
  const hasBody = status !== 204 && status !== 304
  res.writeHead(status, { ...EVERY, ...headers, ...(hasBody ? { 'content-length': 0 } : {}) })
  res.end()
}

/** A whole XML document. `content` is written already. */
export function answerXml(
  res: ServerResponse,
  { status, content, headers = {} }: { readonly status: number; readonly content: string; readonly headers?: Headers },
): void {
  const body = Buffer.from(XML_HEAD + content)
  res.writeHead(status, { ...EVERY, ...headers, 'content-type': XML_TYPE, 'content-length': body.length })
  res.end(body)
}

/** Ends the request with what went wrong, in the status codes of the protocol and a line for a person. */
export function answerFault(ctx: Pick<Ctx, 'locale' | 'requestId'>, res: ServerResponse, thrown: unknown): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const error = toAppError(thrown)
  const precondition = error instanceof Refusal ? error.precondition : PRECONDITIONS[error.code]
  const retry = error.details?.['retryAfterSeconds']
  const headers: Headers = {
    'x-request-id': ctx.requestId,
    ...(error instanceof Refusal ? error.headers : {}),
    ...(typeof retry === 'number' ? { 'retry-after': retry } : {}),
  }
  const text = errorText(ctx.locale, error.code)
  const named = precondition === undefined ? '' : `<D:${precondition}/>`
  const content = `<D:error xmlns:D="DAV:">${named}<g:message xmlns:g="urn:godwit">${escapeXml(text)}</g:message></D:error>`
  answerXml(res, { status: statusOf(error), content, headers })
}

/** Reasons as the status lines inside of a 207 have them. */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  423: 'Locked',
  424: 'Failed Dependency',
  507: 'Insufficient Storage',
}

export function statusLine(status: number): string {
  return `<D:status>HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}</D:status>`
}

/** A 207 that is written while it is made: a folder of 100,000 entries is never held as one text. */
export class MultiStatus {
  readonly #res: ServerResponse
  readonly #signal: AbortSignal

  constructor(res: ServerResponse, signal: AbortSignal) {
    this.#res = res
    this.#signal = signal
    res.writeHead(207, { ...EVERY, 'content-type': XML_TYPE })
    res.write(`${XML_HEAD}<D:multistatus xmlns:D="DAV:">`)
  }

  /** @param responses written `<D:response>` elements */
  async write(responses: string): Promise<void> {
    this.#signal.throwIfAborted()
    if (responses !== '' && !this.#res.write(responses)) await once(this.#res, 'drain', { signal: this.#signal })
  }

  end(): void {
    this.#res.end('</D:multistatus>\n')
  }
}

/** What became of single entries. */
export function answerPaths(
  res: ServerResponse,
  paths: ReadonlyArray<{ readonly href: string; readonly status: number; readonly precondition?: string }>,
): void {
  const responses = paths.map(({ href, status, precondition }) => {
    const error = precondition === undefined ? '' : `<D:error><D:${precondition}/></D:error>`
    return `<D:response><D:href>${escapeXml(href)}</D:href>${statusLine(status)}${error}</D:response>`
  })
  answerXml(res, { status: 207, content: `<D:multistatus xmlns:D="DAV:">${responses.join('')}</D:multistatus>` })
}
