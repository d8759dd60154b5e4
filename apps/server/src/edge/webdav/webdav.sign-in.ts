import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { byAppPassword, type AuthDeps } from '../../identity/auth/index.ts'
import { admittedFrom, requireAccount } from '../../identity/principals/index.ts'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ClientAddresses } from '../http/index.ts'
import { Refusal } from './webdav.answers.ts'

export interface SignInDeps {
  readonly auth: AuthDeps
  readonly addresses: ClientAddresses
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="Godwit", charset="UTF-8"' }

/**
 * Who calls: by an API token as the password of Basic, or by any bearer credential. Passwords of accounts are no credential here: they
 * would pass by the second factor. Cookies are never looked at, so that no page can act in somebody's name.
 * @throws Refusal with 401; AppError ACCOUNT_LOCKED
 */
export async function signIn({ auth }: Pick<SignInDeps, 'auth'>, ctx: Ctx, req: IncomingMessage): Promise<UserCtx> {
  if (ctx.principal !== undefined) return { ...ctx, principal: requireAccount(ctx) }
  const given = basicOf(req.headers.authorization)
  if (given === undefined) throw new Refusal(401, 'TOKEN_INVALID', { headers: CHALLENGE })
  try {
    const principal = admittedFrom(await byAppPassword(auth, ctx, given), ctx.address)
    if (principal === undefined) throw new AppError('PASSWORD_WRONG')
    return { ...ctx, principal }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'PASSWORD_WRONG') throw thrown
    throw new Refusal(401, 'PASSWORD_WRONG', { headers: CHALLENGE })
  }
}

/** Account and password of a Basic header, in UTF-8 (RFC 7617). */
function basicOf(header: string | undefined): { readonly account: string; readonly password: string } | undefined {
  const encoded = /^Basic ([\w+/=-]{1,2048})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const cut = text.indexOf(':')
  return cut < 0 ? undefined : { account: text.slice(0, cut), password: text.slice(cut + 1) }
}

/**
 * Whether what the client sends can be read on the way: no TLS here, none at a trusted proxy, and not from this machine. Told before
 * the client is asked for a password.
 */
export function isReadable({ addresses }: Pick<SignInDeps, 'addresses'>, ctx: Ctx, req: IncomingMessage): boolean {
  if (req.socket instanceof TLSSocket || isLoopback(ctx.address)) return false
  const isFromProxy = addresses.isProxy(req.socket.remoteAddress ?? '')
  return !(isFromProxy && req.headers['x-forwarded-proto'] === 'https')
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}
