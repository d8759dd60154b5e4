import type { OidcSettings, ProviderTestStep } from '@godwit/contract'
import type * as OpenidClient from 'openid-client'
import type { Configuration, CustomFetch } from 'openid-client'
import { AppError } from '../../../kernel/errors.ts'
import { outboundFetch, type Outbound } from '../../../kernel/outbound/index.ts'
import type { Answer, Arrival, Departure, Ended, SignOn, TestResult, Way } from '../provider.types.ts'
import { CHECK_MS } from '../time-limits.ts'
import { endedOf } from './logout-token.ts'
import { refusalOf, signOnFault } from './oidc.errors.ts'
import { personOfClaims } from './oidc.policy.ts'

export interface OidcDeps {
  readonly outbound: Outbound
  readonly clock: { now(): number; monotonic(): number }
}

export interface OidcTarget {
  readonly settings: OidcSettings
  /** '' for a client without one. */
  readonly secret: string
}

const CLIENT_REFUSALS = ['invalid_client', 'unauthorized_client']

/** OpenID Connect: authorization code with PKCE, and an ID token whose signature is always checked. */
export function oidcProvider(deps: OidcDeps, target: OidcTarget): SignOn {
  return {
    begin: (way) => begin(deps, target, way),
    finish: (answer) => finish(deps, target, answer),
    leave: (kept, backTo) => Promise.resolve(leaveBackTo(kept, backTo)),
    ended: (notice) => ended(deps, target, notice),
    test: () => test(deps, target),
  }
}

type Client = typeof OpenidClient

interface Opened {
  readonly client: Client
  readonly configuration: Configuration
  readonly fetch: (url: string) => Promise<Response>
}

/** @throws AppError EXTERNAL_AUTH_UNREACHABLE, SIGN_ON_CERTIFICATE_INVALID, SIGN_ON_ANSWER_INVALID */
async function open({ outbound }: OidcDeps, { settings, secret }: OidcTarget): Promise<Opened> {
  // Most servers have no identity provider; until somebody needs it, the library takes no memory.
  const client = await import('openid-client')
  const way = { outbound, ca: settings.ca, signal: AbortSignal.timeout(CHECK_MS) }
  const customFetch: CustomFetch = (url, { method, headers, body }) =>
    outboundFetch(way, url, { method, headers, body: bodyText(body) })
  try {
    const found = await client.discovery(new URL(settings.issuer), settings.clientId, undefined, client.None(), {
      [client.customFetch]: customFetch,
    })
    const metadata = found.serverMetadata()
    requireHttps(metadata.authorization_endpoint, metadata.end_session_endpoint)
    const configuration = new client.Configuration(metadata, settings.clientId, {}, proofOf(client, metadata, secret))
    configuration[client.customFetch] = customFetch
    client.enableNonRepudiationChecks(configuration)
    const fetch = (url: string) => outboundFetch(way, url, { method: 'GET', headers: { accept: 'application/json' } })
    return { client, configuration, fetch }
  } catch (thrown) {
    throw signOnFault(thrown, { step: 'discover', field: 'issuer' })
  }
}

function bodyText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new Error('a request with a body of an unknown kind')
}

/** Browsers are led to these. */
function requireHttps(authorization: string | undefined, leave: string | undefined): void {
  const isSafe = [authorization ?? '', leave ?? authorization ?? ''].every((url) => url.startsWith('https://'))
  if (!isSafe) throw new AppError('SIGN_ON_ANSWER_INVALID', { step: 'discover', field: 'issuer' })
}

/** How the client proves itself; both ways are common, and a provider says which it takes. */
function proofOf(
  client: Client,
  {
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  }: { token_endpoint_auth_methods_supported?: string[] },
  secret: string,
) {
  if (secret === '') return client.None()
  return methods.includes('client_secret_post') ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret)
}

async function begin(deps: OidcDeps, target: OidcTarget, { redirectUri, state, again }: Way): Promise<Departure> {
  const { client, configuration } = await open(deps, target)
  const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
  const scopes = new Set(['openid', ...target.settings.scopes.split(/\s+/).filter((scope) => scope !== '')])
  const url = client.buildAuthorizationUrl(configuration, {
    ...{ redirect_uri: redirectUri, response_type: 'code', scope: [...scopes].join(' '), state, nonce },
    ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    ...(again ? { prompt: 'login' } : {}),
  })
  return { url: url.href, kept: { verifier, nonce } }
}

async function finish(deps: OidcDeps, target: OidcTarget, answer: Answer): Promise<Arrival> {
  const at = { step: 'account', field: 'account' }
  const refusal = new URLSearchParams(answer.query).get('error')
  if (refusal !== null) throw new AppError('SIGN_ON_REFUSED', { reason: refusal.slice(0, 64) })
  const { client, configuration } = await open(deps, target)
  try {
    const url = new URL(answer.redirectUri)
    url.search = answer.query
    const { verifier: pkceCodeVerifier, nonce: expectedNonce } = answer.kept
    if (pkceCodeVerifier === undefined || expectedNonce === undefined) throw new Error('a sign-in without its checks')
    const checks = { pkceCodeVerifier, expectedNonce, expectedState: answer.state, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(configuration, url, checks)
    const proven = tokens.claims()
    if (proven === undefined) throw new AppError('SIGN_ON_ANSWER_INVALID', at)
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await client.fetchUserInfo(configuration, tokens.access_token, proven.sub) : {}
    const person = personOfClaims(target.settings, { ...more, ...proven })
    if (person === undefined) throw new AppError('SIGN_ON_ANSWER_INVALID', { ...at, field: 'claims' })
    const session = typeof proven['sid'] === 'string' ? proven['sid'].slice(0, 255) : ''
    return { person, session, leave: leaveOf({ client, configuration }, tokens.id_token ?? '') }
  } catch (thrown) {
    const refused = refusalOf(thrown)
    if (CLIENT_REFUSALS.includes(refused)) throw clientRefused(thrown)
    // A code that was used, or that another client or another sign-in was given.
    if (refused === 'invalid_grant') throw new AppError('SIGN_ON_STALE', undefined, { cause: thrown })
    throw signOnFault(thrown, at)
  }
}

/** OpenID Connect RP-Initiated Logout 1.0. */
function leaveOf({ client, configuration }: Pick<Opened, 'client' | 'configuration'>, idToken: string): string {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return ''
  return client.buildEndSessionUrl(configuration, { id_token_hint: idToken }).href
}

/** @param backTo one that the provider knows, or it does not lead back */
function leaveBackTo(kept: string, backTo: string | undefined): string {
  const url = new URL(kept)
  if (backTo !== undefined) url.searchParams.set('post_logout_redirect_uri', backTo)
  return url.href
}

async function ended(deps: OidcDeps, target: OidcTarget, notice: string): Promise<Ended | undefined> {
  const { configuration, fetch } = await open(deps, target)
  const { jwks_uri: keys, issuer } = configuration.serverMetadata()
  try {
    const set = await (await fetch(keys ?? '')).json()
    return await endedOf(notice, { keys: set, issuer, clientId: target.settings.clientId, now: deps.clock.now() })
  } catch (thrown) {
    throw signOnFault(thrown, { step: 'keys', field: 'issuer' })
  }
}

async function test(deps: OidcDeps, target: OidcTarget): Promise<TestResult> {
  const steps: Array<{ readonly step: ProviderTestStep; readonly ms: number }> = []
  let begun = deps.clock.monotonic()
  const done = (step: ProviderTestStep): void => {
    const now = deps.clock.monotonic()
    steps.push({ step, ms: Math.round(now - begun) })
    begun = now
  }
  const { client, configuration, fetch } = await open(deps, target)
  done('discover')
  await requireKeys(configuration.serverMetadata().jwks_uri, fetch)
  done('keys')
  await requireClient(client, configuration)
  done('client')
  return { steps, person: undefined }
}

async function requireKeys(address: string | undefined, fetch: Opened['fetch']): Promise<void> {
  const at = { step: 'keys', field: 'issuer' }
  try {
    const set = (await (await fetch(address ?? '')).json()) as { readonly keys?: unknown }
    if (!Array.isArray(set.keys) || set.keys.length === 0) throw new AppError('SIGN_ON_ANSWER_INVALID', at)
  } catch (thrown) {
    throw signOnFault(thrown, at)
  }
}

/** Asks for a token with a code that does not exist: who answers that it does not has accepted the client. */
async function requireClient(client: Client, configuration: Configuration): Promise<void> {
  try {
    const wrong = { code: 'test', redirect_uri: 'https://localhost/', code_verifier: client.randomPKCECodeVerifier() }
    await client.genericGrantRequest(configuration, 'authorization_code', wrong)
  } catch (thrown) {
    if (CLIENT_REFUSALS.includes(refusalOf(thrown)) || isChallenge(thrown)) throw clientRefused(thrown)
    if (refusalOf(thrown) === '') throw signOnFault(thrown, { step: 'client', field: 'issuer' })
  }
}

/** A 401 with a challenge and nothing more. */
function isChallenge(thrown: unknown): boolean {
  return thrown instanceof Error && 'status' in thrown && thrown.status === 401
}

function clientRefused(cause: unknown): AppError {
  return new AppError('SIGN_ON_CLIENT_REFUSED', { step: 'client', field: 'secret' }, { cause })
}
