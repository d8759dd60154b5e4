import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { PRODUCT_VERSION } from '../settings/index.ts'
import { AcmeFailure } from './acme-failure.ts'

/** One request to the authority; it may reject with anything. */
export type AskAuthority = (
  address: string,
  request: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string | undefined
  },
) => Promise<Response>

export interface AcmeAnswer {
  /** JSON of the answer; the text of a chain of certificates. */
  readonly body: unknown
  /** Of the resource that was made; '' without. */
  readonly location: string
  readonly status: number
}

/** A conversation with an authority (RFC 8555), every request signed with the key of the account. */
export interface AcmeConnection {
  readonly directory: z.output<typeof directorySchema>
  /** Signs with the key itself until the account is known, then with its address. */
  setAccount(address: string): void
  /** @param payload null asks for the resource (POST-as-GET) @throws AcmeFailure, or what the connection ended with */
  post(address: string, payload: object | null): Promise<AcmeAnswer>
  /** What proves at a host that the account may have certificates for it (RFC 8555 §8.1). */
  keyAuthorization(token: string): string
}

const httpsAddress = z.string().max(2000).startsWith('https://')
const directorySchema = z.object({ newNonce: httpsAddress, newAccount: httpsAddress, newOrder: httpsAddress })
const problemSchema = z.object({ type: z.string().catch(''), detail: z.string().catch('') })

const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce'
/** Authorities refuse a nonce now and then on purpose, with a fresh one in the refusal. */
const TRIES = 5
const USER_AGENT = `Godwit/${PRODUCT_VERSION}`

/** @param key ES256 @throws AcmeFailure, or what the connection ended with */
export async function connectAcme(
  ask: AskAuthority,
  directoryAddress: string,
  key: KeyObject,
): Promise<AcmeConnection> {
  const jwk = publicJwk(key)
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
  const directory = parsed(
    directorySchema,
    await read(await ask(directoryAddress, { method: 'GET', headers: { 'user-agent': USER_AGENT } })),
  )
  let account = ''
  let nonce = ''

  async function freshNonce(): Promise<string> {
    if (nonce === '')
      keepNonce(await ask(directory.newNonce, { method: 'HEAD', headers: { 'user-agent': USER_AGENT } }))
    const fresh = nonce
    nonce = ''
    if (fresh === '') throw new AcmeFailure('answer', 'no nonce')
    return fresh
  }
  function keepNonce({ headers }: Response): void {
    const offered = headers.get('replay-nonce') ?? ''
    if (/^[\w-]{1,512}$/.test(offered)) nonce = offered
  }

  async function post(address: string, payload: object | null, left = TRIES): Promise<AcmeAnswer> {
    const by = account === '' ? { jwk } : { kid: account }
    const protectedHeader = { alg: 'ES256', nonce: await freshNonce(), url: address, ...by }
    const answer = await ask(address, {
      method: 'POST',
      headers: { 'content-type': 'application/jose+json', 'user-agent': USER_AGENT },
      body: signed(key, protectedHeader, payload),
    })
    keepNonce(answer)
    const body = await read(answer)
    if (answer.ok) return { body, location: answer.headers.get('location') ?? '', status: answer.status }
    const problem = problemSchema.safeParse(body)
    if (problem.data?.type === BAD_NONCE && left > 1) return post(address, payload, left - 1)
    throw new AcmeFailure('refused', problem.data?.detail || problem.data?.type || `HTTP ${answer.status}`)
  }

  return {
    directory,
    setAccount: (address) => void (account = parsed(httpsAddress, address)),
    post: (address, payload) => post(address, payload),
    keyAuthorization: (token) => `${token}.${thumbprint}`,
  }
}

/** @throws AcmeFailure where an answer is not as RFC 8555 has it */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value)
  if (data === undefined) throw new AcmeFailure('answer', error?.issues[0]?.message ?? 'not as RFC 8555 has it')
  return data
}

async function read(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (!/\bjson\b/.test(answer.headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new AcmeFailure('answer', 'no JSON', { cause: thrown })
  }
}

function signed(key: KeyObject, protectedHeader: object, payload: object | null): string {
  const head = Buffer.from(JSON.stringify(protectedHeader)).toString('base64url')
  const body = payload === null ? '' : Buffer.from(JSON.stringify(payload)).toString('base64url')
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' })
  return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') })
}

/** Members in the order of RFC 7638, so that its text is what the thumbprint is made of. */
function publicJwk(key: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' })
  return { crv, kty, x, y }
}
