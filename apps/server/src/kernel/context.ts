import type { Locale } from '@godwit/i18n'
import type { AppError } from './errors.ts'
import type { AccountPrincipal, GuestPrincipal, Principal } from './principal.ts'

/**
 * The way a request came: from a page by HTTP, from another program by HTTP, by the file socket, by tus, by WebDAV, by the
 * transfer port, or from the server's own schedule.
 */
export type Door = 'page' | 'http' | 'socket' | 'tus' | 'webdav' | 'transfer' | 'schedule'

/** What every use case receives besides its dependencies and its request. */
export interface Ctx {
  readonly requestId: string
  /** Who acts, as the identity layer proved it. */
  readonly principal: Principal | undefined
  readonly door: Door
  readonly locale: Locale
  /** Remote address after the trusted proxies; the key of limits is derived from it. */
  readonly address: string
  readonly userAgent: string
  /** The page that asks, as the browser says; compared with the host of the request before anything changes. */
  readonly origin: string | undefined
  /** The bearer credential as it came, for features that issue their own grants. */
  readonly bearer: string | undefined
  /** Aborts when the caller goes away or the server stops. */
  readonly signal: AbortSignal
}

/** A context whose caller has an account; what handlers of `user` routes receive. */
export interface UserCtx extends Ctx {
  readonly principal: AccountPrincipal
}

/** A context whose caller may bring files: an account, or a guest into somebody else's folder. */
export interface UploaderCtx extends Ctx {
  readonly principal: AccountPrincipal | GuestPrincipal
  /** Whose files they become; the principal's own when left out. */
  readonly ownerId?: string
}

/** Turns a bearer credential into a principal. Supplied by the identity layer, used by every edge. */
export interface Authenticator {
  /**
   * @param touch false when the request must not count as activity
   * @returns undefined for an unknown, expired or revoked credential
   */
  authenticate(bearer: string, touch: boolean): Promise<Principal | undefined>
}

/** Credentials of a kind that a feature issues by itself, told from others by how they begin. */
export interface OwnCredentials extends Authenticator {
  readonly prefix: string
}

/** Structured log of the process; fields never hold secrets. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** The fields of a failure worth logging: code, causes, request. */
export function failureFields(ctx: Pick<Ctx, 'requestId'>, error: AppError): Readonly<Record<string, unknown>> {
  return { requestId: ctx.requestId, code: error.code, details: error.details, err: error.cause ?? error }
}
