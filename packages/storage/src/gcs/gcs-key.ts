import { createPrivateKey, sign as signBytes, type KeyObject } from 'node:crypto'
import type { Clock } from '@godwit/base'
import { ServiceError, type ServiceRequest } from '../bucket/http-service.ts'
import { StorageError } from '../errors.ts'

/** What a service account's file of credentials holds, as far as it is needed. */
export interface GcsCredentials {
  readonly clientEmail: string
  readonly privateKey: string
  /** Where a signed claim is exchanged for a token. */
  readonly tokenUri: string
}

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const CLAIM_S = 3600
/** A token is not used in its last minute. */
const SPARE_MS = 60_000
const ANSWER_MS = 20_000

/** @returns undefined for what is no file of credentials of a service account */
export function parseCredentials(json: string): GcsCredentials | undefined {
  try {
    const found: unknown = JSON.parse(json)
    if (typeof found !== 'object' || found === null) return undefined
    const fields = found as Readonly<Record<string, unknown>>
    const { client_email: clientEmail, private_key: privateKey, token_uri: tokenUri = TOKEN_URI } = fields
    if (typeof clientEmail !== 'string' || typeof privateKey !== 'string' || typeof tokenUri !== 'string')
      return undefined
    createPrivateKey(privateKey)
    return { clientEmail, privateKey, tokenUri }
  } catch {
    return undefined
  }
}

/** Puts a token on requests, a new one when the last is over. */
export class GcsTokens {
  readonly #credentials: GcsCredentials
  readonly #key: KeyObject
  readonly #clock: Pick<Clock, 'now'>
  #token: { readonly text: string; readonly until: number } | undefined
  #asking: Promise<string> | undefined

  constructor(credentials: GcsCredentials, clock: Pick<Clock, 'now'>) {
    this.#clock = clock
    this.#credentials = credentials
    this.#key = createPrivateKey(credentials.privateKey)
  }

  readonly sign = async (request: ServiceRequest): Promise<ServiceRequest> => {
    const token = await this.#current()
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
  }

  #current(): Promise<string> {
    if (this.#token !== undefined && this.#token.until > this.#clock.now()) return Promise.resolve(this.#token.text)
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined))
    return this.#asking
  }

  async #ask(): Promise<string> {
    const body = new URLSearchParams({ grant_type: GRANT, assertion: this.#claim() })
    const answer = await this.#exchange(body)
    if (!answer.ok) throw new ServiceError('InvalidToken', 401)
    const { access_token: text, expires_in: seconds } = (await answer.json()) as {
      readonly access_token?: unknown
      readonly expires_in?: unknown
    }
    if (typeof text !== 'string') throw new ServiceError('InvalidToken', 401)
    this.#token = { text, until: this.#clock.now() + Number(seconds ?? CLAIM_S) * 1000 - SPARE_MS }
    return text
  }

  async #exchange(body: URLSearchParams): Promise<Response> {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS)
      return await fetch(this.#credentials.tokenUri, { method: 'POST', body, signal, redirect: 'error' })
    } catch (cause) {
      throw new StorageError('unreachable', { cause })
    }
  }

  #claim(): string {
    const { clientEmail, tokenUri } = this.#credentials
    const now = Math.floor(this.#clock.now() / 1000)
    const claim = { iss: clientEmail, scope: SCOPE, aud: tokenUri, iat: now, exp: now + CLAIM_S }
    const text = [{ alg: 'RS256', typ: 'JWT' }, claim].map((part) => base64url(JSON.stringify(part))).join('.')
    return `${text}.${signBytes('RSA-SHA256', Buffer.from(text), this.#key).toString('base64url')}`
  }
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
