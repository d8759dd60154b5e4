import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { parsed, type AcmeConnection } from './acme-connection.ts'
import { AcmeFailure } from './acme-failure.ts'

export interface AcmeOrder {
  readonly names: readonly string[]
  /** '' gives the authority none. */
  readonly contact: string
  /** DER of the request that is to be signed. */
  readonly request: Buffer
  /** Lets every node answer the authority. */
  readonly offer: (token: string, answer: string) => Promise<void>
  readonly signal: AbortSignal
}

const address = z.string().max(2000)
const problem = z.object({ detail: z.string().catch('') }).optional()
const challengeSchema = z.object({
  type: z.string(),
  url: address,
  // It becomes a part of an address, and a key of a table.
  token: z
    .string()
    .regex(/^[\w-]{16,128}$/)
    .optional(),
  error: problem,
})
const authorizationSchema = z.object({
  identifier: z.object({ value: z.string() }),
  status: z.string(),
  challenges: z.array(challengeSchema).max(50),
})
const orderSchema = z.object({
  status: z.string(),
  authorizations: z.array(address).max(200),
  finalize: address,
  certificate: address.optional(),
  error: problem,
})

const FIRST_LOOK_MS = 500
const LOOK_MS = 5_000

/**
 * Orders one certificate: account, proof of every name by http-01, request, chain.
 * @returns the chain, PEM
 * @throws AcmeFailure, the reason of the signal, or what the connection ended with
 */
export async function orderCertificate(acme: AcmeConnection, wanted: AcmeOrder): Promise<string> {
  await openAccount(acme, wanted.contact)
  const identifiers = wanted.names.map((value) => ({ type: 'dns', value }))
  const made = await acme.post(acme.directory.newOrder, { identifiers })
  const order = parsed(orderSchema, made.body)
  for (const authorization of order.authorizations) await prove(acme, authorization, wanted)
  await acme.post(order.finalize, { csr: wanted.request.toString('base64url') })
  const done = await until(wanted.signal, async () => {
    const now = parsed(orderSchema, (await acme.post(made.location, null)).body)
    if (now.status === 'invalid') throw new AcmeFailure('refused', now.error?.detail || 'the order is invalid')
    return now.status === 'valid' ? now : undefined
  })
  const chain = await acme.post(parsed(address, done.certificate), null)
  return parsed(z.string(), chain.body)
}

/** The account of the key; the authority makes it when it has none (RFC 8555 §7.3). */
async function openAccount(acme: AcmeConnection, contact: string): Promise<void> {
  const about = { contact: contact === '' ? [] : [`mailto:${contact}`] }
  const { location, status } = await acme.post(acme.directory.newAccount, { termsOfServiceAgreed: true, ...about })
  acme.setAccount(location)
  // One that was there keeps its contact until it is told another.
  if (status === 200) await acme.post(location, about)
}

async function prove(acme: AcmeConnection, authorization: string, { offer, signal }: AcmeOrder): Promise<void> {
  const look = async () => parsed(authorizationSchema, (await acme.post(authorization, null)).body)
  const begun = await look()
  if (begun.status === 'valid') return
  const challenge = begun.challenges.find(({ type }) => type === 'http-01')
  if (challenge?.token === undefined)
    throw new AcmeFailure('refused', `${begun.identifier.value}: the authority offers no http-01`)
  await offer(challenge.token, acme.keyAuthorization(challenge.token))
  await acme.post(challenge.url, {})
  await until(signal, async () => {
    const { status, challenges, identifier } = await look()
    if (status === 'valid') return true
    if (status === 'pending') return undefined
    const detail = challenges.find(({ type }) => type === 'http-01')?.error?.detail || status
    throw new AcmeFailure('challenge', `${identifier.value}: ${detail}`)
  })
}

/** Looks again until there is an answer, ever more seldom. */
async function until<T>(signal: AbortSignal, look: () => Promise<T | undefined>): Promise<T> {
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LOOK_MS, waitMs * 1.5)) {
    const found = await look()
    if (found !== undefined) return found
    await pause(waitMs, undefined, { signal })
  }
}
