import { type ApiClient, type CallOptions, createClient } from '@godwit/contract/client'
import { encodePassword } from '@godwit/contract/passwords'
import { auth } from '@godwit/contract/table/auth'
import { ApiError } from '@godwit/contract/wire/api-error'

/** What a sign-in is kept by. */
export interface Tokens {
  /** Of a session, or an API token (`gwt_…`). */
  readonly token: string
  /** Of a session: each works once and is replaced with the token. */
  readonly refreshToken?: string | undefined
}

export interface ConnectOptions extends Tokens {
  /** Address of the server, such as `https://files.example.org`. */
  readonly server: string
  /** Language of messages: `zh-CN` or `en-US`. */
  readonly language?: string
  /** Default: that of the platform. */
  readonly fetch?: typeof globalThis.fetch
  /** For calls that neither send nor return bytes. Default: 90 s. */
  readonly timeoutMs?: number
  /** Called with each new pair, so that a program may keep it. */
  readonly onTokens?: (tokens: Tokens) => void
}

export interface SignInOptions extends Omit<ConnectOptions, keyof Tokens> {
  /** Account or e-mail address. */
  readonly account: string
  readonly password: string
  /** Six digits of the authenticator app, or a recovery code. */
  readonly secondFactor?: string
  /** The code that was mailed. */
  readonly emailCode?: string
}

/** A client without credentials, for what is public and for calls with a token of their own. */
export function openClient({
  server,
  language,
  fetch,
  timeoutMs,
}: Pick<ConnectOptions, 'server' | 'language' | 'fetch' | 'timeoutMs'>): ApiClient {
  return createClient({
    baseUrl: server.replace(/\/+$/, ''),
    // Looked up with each call; a browser takes its fetch from the window alone.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    ...(language === undefined ? {} : { language: () => language }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
}

/** @throws ApiError, such as PASSWORD_WRONG, SECOND_FACTOR_REQUIRED, ACCOUNT_LOCKED */
export async function tokensOf(options: SignInOptions): Promise<Tokens> {
  const { account, password, secondFactor, emailCode } = options
  const reply = await openClient(options).call(auth.login, {
    body: {
      account,
      password: encodePassword(password),
      ...(secondFactor === undefined ? {} : { secondFactor }),
      ...(emailCode === undefined ? {} : { emailCode }),
    },
  })
  return { token: reply.token, refreshToken: reply.refresh_token }
}

/** A client with credentials that renews a session whose token has run out, and repeats the call. */
export class Session implements ApiClient {
  readonly #client: ApiClient
  readonly #onTokens: ((tokens: Tokens) => void) | undefined
  #tokens: Tokens
  #renewal: Promise<void> | undefined

  constructor(options: ConnectOptions) {
    this.#client = openClient(options)
    this.#onTokens = options.onTokens
    this.#tokens = { token: options.token, refreshToken: options.refreshToken }
  }

  get tokens(): Tokens {
    return this.#tokens
  }

  readonly call: ApiClient['call'] = (route, input, options = {}) =>
    this.#signed(options, (own) => this.#client.call(route, input, own))

  readonly stream: ApiClient['stream'] = (route, input, options = {}) =>
    this.#signed(options, (own) => this.#client.stream(route, input, own))

  readonly operation: ApiClient['operation'] = (name, input, options = {}) =>
    this.#signed(options, (own) => this.#client.operation(name, input, own))

  async #signed<Data>(options: CallOptions, work: (options: CallOptions) => Promise<Data>): Promise<Data> {
    if (options.token !== undefined) return work(options)
    const { token } = this.#tokens
    try {
      return await work({ ...options, token })
    } catch (error) {
      if (!(error instanceof ApiError) || error.name !== 'TOKEN_INVALID') throw error
      // Another call may have renewed it meanwhile: each refresh token works once.
      if (this.#tokens.token === token) await this.#renew(error)
      return work({ ...options, token: this.#tokens.token })
    }
  }

  #renew(refusal: ApiError): Promise<void> {
    const { refreshToken } = this.#tokens
    if (refreshToken === undefined) throw refusal
    this.#renewal ??= (async () => {
      const pair = await this.#client.call(auth.refresh, {}, { token: refreshToken })
      this.#tokens = { token: pair.token, refreshToken: pair.refresh_token }
      this.#onTokens?.(this.#tokens)
    })().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }
}
