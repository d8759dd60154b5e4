import type { LocalClientAction, LocalClientView } from '@godwit/contract'
import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'

/** The client on this computer, as its page calls it. Every error is an ApiError. */
export interface LocalLink {
  view(signal: AbortSignal): Promise<LocalClientView>
  act(action: LocalClientAction): Promise<LocalClientView>
  /** The server that a web page has opened the client for, once there is a view; '' for none. */
  asked(): string
}

/** Of this tab alone, so that a reload keeps the page open. */
const TOKEN_KEY = 'godwit.local-page'

type Ask = (method: 'GET' | 'POST', path: string, more: AskOptions) => Promise<unknown>
interface AskOptions {
  readonly token: string
  readonly body?: LocalClientAction
  readonly signal?: AbortSignal
}

const ask: Ask = async (method, path, { token, body, signal }) => {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw serverUnavailable({}, { cause })
  })
  const answer = (await response.json().catch(() => ({ code: 0 }))) as Partial<{
    readonly code: number
    readonly message: string
    readonly data: unknown
  }>
  if (response.ok && answer.code === 200) return answer.data
  throw new ApiError({ code: answer.code ?? 0, status: response.status, message: answer.message ?? '' })
}

/** Spends the link in the address, which opens one page once, on a token of this tab. */
export function createLocalLink(): LocalLink {
  const link = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  let asked = ''
  const opened = link === '' ? undefined : open(link).then((server) => void (asked = server))
  const token = async (): Promise<string> => {
    await opened
    return sessionStorage.getItem(TOKEN_KEY) ?? ''
  }
  return {
    asked: () => asked,
    view: async (signal) => (await ask('GET', '/api/state', { token: await token(), signal })) as LocalClientView,
    act: async (body) => (await ask('POST', '/api/act', { token: await token(), body })) as LocalClientView,
  }
}

/** @returns the server of the link, '' for none */
async function open(link: string): Promise<string> {
  try {
    const opened = (await ask('POST', '/api/open', { token: link })) as Record<'token' | 'server', string>
    sessionStorage.setItem(TOKEN_KEY, opened.token)
    return opened.server
  } catch (thrown) {
    // A spent link says nothing about a tab that is open already: its next call shows it.
    if (!(thrown instanceof ApiError)) throw thrown
    return ''
  }
}
