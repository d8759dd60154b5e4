import type { ServerResponse } from 'node:http'
import type { ErrorName } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import type { Ctx } from '../../kernel/context.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { retryAfter, SECURITY_HEADERS } from '../http/index.ts'

/** Keywords of RFC 7644 §3.12 that say what a request did wrong. */
type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

interface Fault {
  readonly status: number
  readonly scimType?: ScimType
}

/** What the RFC asks for; what is not here keeps its own status. */
const FAULTS: Partial<Readonly<Record<ErrorName, Fault>>> = {
  SCIM_FILTER_INVALID: { status: 400, scimType: 'invalidFilter' },
  SCIM_PATH_INVALID: { status: 400, scimType: 'invalidPath' },
  SCIM_VALUE_INVALID: { status: 400, scimType: 'invalidValue' },
  SCIM_BODY_INVALID: { status: 400, scimType: 'invalidSyntax' },
  SCIM_READ_ONLY: { status: 400, scimType: 'mutability' },
  ACCOUNT_INVALID: { status: 400, scimType: 'invalidValue' },
  EMAIL_INVALID: { status: 400, scimType: 'invalidValue' },
  TOKEN_INVALID: { status: 401 },
  PERMISSION_DENIED: { status: 403 },
  EDITION_USER_LIMIT: { status: 403 },
  EDITION_FEATURE_MISSING: { status: 403 },
  ROUTE_NOT_FOUND: { status: 404 },
  ACCOUNT_NOT_FOUND: { status: 404 },
  GROUP_NOT_FOUND: { status: 404 },
  ACCOUNT_EXISTS: { status: 409, scimType: 'uniqueness' },
  EMAIL_EXISTS: { status: 409, scimType: 'uniqueness' },
  GROUP_NAME_DUPLICATE: { status: 409, scimType: 'uniqueness' },
  EDIT_CONFLICT: { status: 412 },
  OPERATION_UNSUPPORTED: { status: 501 },
}

/** A filter in a path that fits nothing is told from a path that leads nowhere. */
export function noTarget(): AppError {
  return new AppError('SCIM_PATH_INVALID', { scimType: 'noTarget' })
}

/** A whole answer. @param body undefined: without one */
export function answer(
  res: ServerResponse,
  {
    status,
    body,
    headers = {},
  }: {
    readonly status: number
    readonly body?: object
    readonly headers?: Readonly<Record<string, string>>
  },
): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  res.writeHead(status, {
    ...SECURITY_HEADERS,
    'cache-control': 'no-store',
    ...headers,
    ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
    ...(status === 204 || status === 304 ? {} : { 'content-length': Buffer.byteLength(text) }),
  })
  res.end(res.req.method === 'HEAD' ? undefined : text)
}

/** Ends the request with what went wrong, as RFC 7644 §3.12 writes it, and a line for a person. */
export function answerFault(ctx: Pick<Ctx, 'locale' | 'requestId'>, res: ServerResponse, thrown: unknown): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const error = toAppError(thrown)
  const { status, scimType } = FAULTS[error.code] ?? { status: error.status }
  const { attribute, scimType: special } = (error.details ?? {}) as Readonly<Record<string, string | undefined>>
  const text = errorText(ctx.locale, error.code, error.details)
  answer(res, {
    status,
    headers: {
      'x-request-id': ctx.requestId,
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="SCIM"' } : {}),
      ...retryAfter(error),
    },
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType: special ?? scimType }),
      detail: attribute === undefined ? text : `${text} (${attribute})`,
    },
  })
}
