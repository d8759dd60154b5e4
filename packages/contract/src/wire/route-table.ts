import type { RouteSpec } from './route.ts'

declare const SPEC: unique symbol

/** The part of a route that callers need at run time. Input and reply are typed by the spec, at compile time only. */
export interface RouteRef<Spec extends RouteSpec = RouteSpec> {
  readonly method: RouteSpec['method']
  readonly path: string
  readonly raw?: NonNullable<RouteSpec['raw']>
  readonly [SPEC]?: Spec
}

/** The routes of one feature without their schemas, so that a page can name a route and load no validator. */
export type RouteTable<Specs extends Readonly<Record<string, RouteSpec>>> = {
  readonly [Name in keyof Specs]: RouteRef<Specs[Name]>
}

/** A file operation as both carriers call it. */
export interface OperationRef {
  readonly path: string
  /** Changes nothing, so a caller that lost the reply may repeat the call. */
  readonly isRead: boolean
}
