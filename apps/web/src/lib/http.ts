import { type ApiClient, type CallOptions, createClient } from '@godwit/contract/client'
import { type ErrorName, errorSpec } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import { fetchAhead } from './asked-ahead.ts'
import type { SessionStore } from './session.ts'
import { takeTurns } from './take-turns.ts'

/** The server refused a call with a code of its own; no connection at all is no refusal. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.name !== 'SERVER_UNAVAILABLE'
}

/** No answer, or one that is no envelope: the network, a proxy, or a server that is starting. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.name === 'SERVER_UNAVAILABLE'
}

export function isFailure(error: unknown, name: ErrorName): boolean {
  return error instanceof ApiError && error.name === name
}

/** True when the same call may succeed by itself after a while. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.name === 'UNKNOWN') return false
  if (error.name === 'SERVER_UNAVAILABLE') return true
  const { retry } = errorSpec(error.name)
  return retry === 'later' || retry === 'now'
}

export interface Api extends Pick<ApiClient, 'call' | 'operation'> {
  /** Headers of a signed-in call, for carriers other than fetch. */
  headers(token?: string): Record<string, string>
  /** Called with every refusal, whatever carried it: ends the session when its token is no longer valid. */
  noteFailure(error: unknown, usedToken: string | undefined): void
}

export interface ApiDeps {
  readonly session: SessionStore
  readonly locale: () => string
}

/** The server as the signed-in page calls it. Every error is an ApiError, or the reason of the caller's own signal. */
export function createApi({ session, locale }: ApiDeps): Api {
  const client = createClient({ baseUrl: '', fetch: fetchAhead, language: locale })
  const noteFailure = (error: unknown, usedToken: string | undefined): void => {
    // Another tab may have renewed the pair in between: then only this call is stale, not the session.
    const isCurrent = (): boolean => usedToken !== undefined && session.get()?.token === usedToken
    if (!isCurrent() || !isFailure(error, 'TOKEN_INVALID')) return
    // A renewal may have spent this token on the server before the page knows the new one: check again after it.
    void takeTurns(async () => {
      if (isCurrent()) session.end('expired')
    })
  }
  /** Runs a call with the session's token, unless the caller brings its own. */
  const withSession = async <Data>(
    options: CallOptions,
    work: (options: CallOptions) => Promise<Data>,
  ): Promise<Data> => {
    if (options.token !== undefined) return work(options)
    const ask = async (token: string | undefined): Promise<Data> => {
      try {
        return await work({ ...options, token: token ?? null })
      } catch (error) {
        noteFailure(error, token)
        throw error
      }
    }
    const token = session.get()?.token
    try {
      return await ask(token)
    } catch (error) {
      const renewed = isFailure(error, 'TOKEN_INVALID') ? await takeTurns(async () => session.get()?.token) : undefined
      // The call was on its way while its token was replaced; the server has done nothing of it.
      if (renewed !== undefined && renewed !== token) return ask(renewed)
      throw error
    }
  }
  return {
    noteFailure,
    headers: (token = session.get()?.token) => ({
      'accept-language': locale(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }),
    call: (route, input, options = {}) => withSession(options, (own) => client.call(route, input, own)),
    operation: (name, input, options = {}) => withSession(options, (own) => client.operation(name, input, own)),
  }
}
