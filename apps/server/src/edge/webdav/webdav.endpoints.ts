import type { Ctx, UserCtx } from '../../kernel/context.ts'
import { failureFields } from '../../kernel/context.ts'
import type { RawEndpoint, RawExchange } from '../../kernel/endpoint.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { answer, answerFault, answerPaths, Refusal } from './webdav.answers.ts'
import { LockedOut } from './webdav.conditions.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { askedFor, type Asked } from './webdav.entries.ts'
import { getFile } from './webdav.get.ts'
import { lock, unlock } from './webdav.locks.ts'
import { hrefOf, WEBDAV_PATH } from './webdav.paths.ts'
import { propfind } from './webdav.propfind.ts'
import { proppatch } from './webdav.proppatch.ts'
import { putFile } from './webdav.put.ts'
import { WEBDAV_SETTINGS } from './webdav.settings.ts'
import { isReadable, signIn } from './webdav.sign-in.ts'
import { makeCollection, remove, transfer } from './webdav.tree-changes.ts'

type Answer = (deps: WebdavDeps, asked: Asked, exchange: RawExchange) => Promise<void> | void

const METHODS: Readonly<Record<string, Answer>> = {
  OPTIONS: (_deps, _asked, { res }) => describe(res),
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  MKCOL: makeCollection,
  GET: getFile,
  HEAD: getFile,
  PUT: putFile,
  DELETE: remove,
  COPY: (deps, asked, exchange) => transfer(deps, asked, { kind: 'copy', exchange }),
  MOVE: (deps, asked, exchange) => transfer(deps, asked, { kind: 'move', exchange }),
  LOCK: lock,
  UNLOCK: unlock,
}

/** The tree with and without a slash at its end, and everything in it. */
const PATHS = [WEBDAV_PATH, `${WEBDAV_PATH}/*`]

/**
 * WebDAV, classes 1 and 2 (RFC 4918), on what everything else that touches files stands on. Only the protocol's own rules are here.
 */
export function webdavEndpoints(deps: WebdavDeps): RawEndpoint[] {
  return PATHS.flatMap((path) =>
    Object.keys(METHODS).map((method) => ({
      spec: { method, path, access: 'transfer' as const },
      takesBytes: method === 'PUT',
      handle: (ctx: Ctx, exchange: RawExchange) => serve(deps, { ...ctx, door: 'webdav' }, exchange),
    })),
  )
}

async function serve(deps: WebdavDeps, ctx: Ctx, exchange: RawExchange): Promise<void> {
  const { req, params, body } = exchange
  const rest = params['*'] ?? ''
  try {
    const user = await admitted(deps, ctx, req)
    await METHODS[req.method ?? '']?.(deps, await askedFor(deps, user, rest), exchange)
  } catch (thrown) {
    if (!ctx.signal.aborted) refuse(deps, ctx, { exchange, thrown })
  } finally {
    body.close()
  }
}

/** @throws AppError ROUTE_NOT_FOUND where the site has it switched off; Refusal, AppError as signIn() */
async function admitted(deps: WebdavDeps, ctx: Ctx, req: RawExchange['req']): Promise<UserCtx> {
  const switches = await deps.settings.of(WEBDAV_SETTINGS)
  if (switches['webdav.enabled'] !== 1) throw new AppError('ROUTE_NOT_FOUND')
  // Before anybody is asked for a password.
  if (switches['webdav.plainHttp'] !== 1 && isReadable(deps, ctx, req)) throw new Refusal(403, 'PLAIN_HTTP_REFUSED')
  return signIn(deps, ctx, req)
}

interface Refused {
  readonly exchange: RawExchange
  readonly thrown: unknown
}

function refuse({ log }: WebdavDeps, ctx: Ctx, { exchange: { params, res }, thrown }: Refused): void {
  const error = toAppError(thrown)
  if (error.status >= 500) log.error(failureFields(ctx, error), 'a WebDAV request failed')
  if (!(thrown instanceof LockedOut) || thrown.below.length === 0) return answerFault(ctx, res, thrown)
  // A lock on a member: its own line, and the folder fails because of it (RFC 4918 §9.6.1).
  const path = `${WEBDAV_PATH}/${(params['*'] ?? '').replace(/\/$/, '')}`
  answerPaths(res, [
    {
      href: path + hrefOf(thrown.below, false).slice(WEBDAV_PATH.length),
      status: 423,
      precondition: 'lock-token-submitted',
    },
    { href: `${path}/`, status: 424 },
  ])
}

function describe(res: RawExchange['res']): void {
  answer(res, 200, { dav: '1, 2', allow: Object.keys(METHODS).join(', '), 'ms-author-via': 'DAV' })
}
