import type { z } from 'zod'
import type { ErrorName } from '../errors/index.ts'
import type { Feature } from '../foundation/editions.ts'
import type { ConsoleRight } from '../identity/console-rights.ts'
import type { OperationName } from '../oversight/operation-names.ts'

/**
 * Who may call a route. Every route declares one; a route without it does not compile.
 * - public: anyone, as for the sign-in
 * - guest: a visitor of a link, or a signed-in account; what a guest may do there its link decides
 * - user: a signed-in account (session or API credential)
 * - session: a person's own session; what manages the account is closed to API credentials
 * - transfer: a session, or a grant or ticket that covers exactly this object
 * - a console right: a person's own session, of an administrator who has it
 */
export type Access = 'public' | 'guest' | 'user' | 'session' | 'transfer' | ConsoleAccess

export interface ConsoleAccess {
  readonly right: ConsoleRight
  /**
   * Also open to administrators of single groups or spaces whose rights there include this one. The handler checks
   * that the call is about such a place.
   */
  readonly within?: 'group' | 'space'
}

export interface RouteSpec<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  /** Path with `:name` parameters. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  /** What the edition must have; without it the call is refused with EDITION_FEATURE_MISSING. */
  readonly feature?: Feature
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The `data` of the success envelope `{code: 200, data}`. */
  readonly reply: Reply
  /** Business errors a caller should expect, besides the general ones. */
  readonly errors: readonly ErrorName[]
  /** Name in the operation log of what this route changes or exports. Every console route that does so has one. */
  readonly log?: OperationName
  /** Streams bytes instead of JSON in this direction; the schema of that side is then only documentation. */
  readonly raw?: 'request' | 'reply' | 'both'
}

/** Keeps the exact types of a route, so that server and callers infer inputs and answers from it. */
export function defineRoute<const Spec extends RouteSpec>(spec: Spec): Spec {
  return spec
}

export interface Success<Data> {
  readonly code: 200
  readonly data: Data
}

/** The answer to every business error, with HTTP status 400. `message` is a text in the caller's language. */
export interface Failure {
  readonly code: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}
