import { SAML_PATHS, type ProviderTestStep, type SamlSettings } from '@godwit/contract'
import type { Profile, SAML, SamlConfig } from '@node-saml/node-saml'
import { AppError } from '../../../kernel/errors.ts'
import { outboundFetch, type Outbound } from '../../../kernel/outbound/index.ts'
import { signOnFault } from '../oidc/oidc.errors.ts'
import type {
  Answer,
  Arrival,
  BrowserSignOn,
  Departure,
  SignedOut,
  SignOutMessage,
  TestResult,
  Way,
} from '../provider.types.ts'
import { readMetadata, type IdentityProvider, type ServiceProvider } from './saml.metadata.ts'
import {
  inflated,
  openMessage,
  personOfSubject,
  refusalIn,
  requireAnswer,
  requireConfirmation,
  requireSignedQuery,
  sessionOf,
  SamlFault,
  signOutIn,
  SKEW_MS,
} from './saml.policy.ts'
import { samlSigner, type SignerDeps } from './saml.signer.ts'

export interface SamlDeps extends SignerDeps {
  readonly outbound: Outbound
}

/** Everything that is asked of the provider for one call here. */
const CHECK_MS = 9_000
/** A person has just signed in there; what is older was kept for something else. */
const ASSERTION_AGE_MS = 10 * 60_000
const REQUEST_ID_BYTES = 20

/** SAML 2.0, Web Browser SSO: a signed request by redirect, an answer with a signed assertion by a form. */
export function samlProvider(deps: SamlDeps, settings: SamlSettings): BrowserSignOn {
  return {
    begin: (way) => begin(deps, settings, way),
    finish: (answer) => finish(deps, settings, answer),
    leave: (kept) => leave(deps, kept),
    // It sends no notices from server to server.
    ended: () => Promise.resolve(undefined),
    signOut: (message) => signOut(deps, settings, message),
    test: () => test(deps, settings),
  }
}

/** What providers know this site by. */
export function serviceOf(origin: string): ServiceProvider {
  return {
    entityId: origin + SAML_PATHS.metadata,
    answersTo: origin + SAML_PATHS.answers,
    signOutsTo: origin + SAML_PATHS.signOuts,
  }
}

/** Read for every sign-in, so that a new key of the provider counts from the moment it is there. @throws AppError */
async function metadataOf({ outbound, clock }: SamlDeps, settings: SamlSettings): Promise<IdentityProvider> {
  const at = { step: 'discover', field: settings.metadataUrl === '' ? 'metadata' : 'metadataUrl' }
  try {
    return readMetadata(await metadataText(outbound, settings), clock.now())
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'SAML_METADATA_INVALID')
      throw new AppError('SAML_METADATA_INVALID', { ...at, ...thrown.details }, { cause: thrown })
    throw signOnFault(thrown, at)
  }
}

/** The address decides where both are given. */
async function metadataText(outbound: Outbound, { metadata, metadataUrl, ca }: SamlSettings): Promise<string> {
  if (metadataUrl === '') return metadata
  const way = { outbound, ca, signal: AbortSignal.timeout(CHECK_MS) }
  const answer = await outboundFetch(way, metadataUrl, { method: 'GET', headers: { accept: '*/*' } })
  if (answer.status !== 200) throw new Error(`the metadata answers ${answer.status}`)
  return answer.text()
}

interface Roles {
  readonly provider: Pick<IdentityProvider, 'entityId' | 'signInUrl' | 'certificates'> & { readonly signOutUrl: string }
  readonly service: ServiceProvider
}

async function library(deps: SamlDeps, { provider, service }: Roles, more: Partial<SamlConfig> = {}): Promise<SAML> {
  // Most servers have no identity provider; until somebody needs it, the library takes no memory.
  const { SAML } = await import('@node-saml/node-saml')
  const { key } = await samlSigner(deps)
  return new SAML({
    ...{ issuer: service.entityId, audience: service.entityId, callbackUrl: service.answersTo },
    ...{ entryPoint: provider.signInUrl, logoutUrl: provider.signOutUrl, idpIssuer: provider.entityId },
    idpCert: [...provider.certificates],
    ...{ privateKey: key, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
    // The provider chooses both.
    ...{ identifierFormat: null, disableRequestedAuthnContext: true },
    ...{ wantAssertionsSigned: true, wantAuthnResponseSigned: false },
    ...{ acceptedClockSkewMs: SKEW_MS, maxAssertionAgeMs: ASSERTION_AGE_MS },
    ...more,
  })
}

async function begin(deps: SamlDeps, settings: SamlSettings, { redirectUri, state, again }: Way): Promise<Departure> {
  const provider = await metadataOf(deps, settings)
  const service = serviceOf(new URL(redirectUri).origin)
  // An ID of XML begins with a letter or an underscore.
  const bytes = deps.random.fill(new Uint8Array(REQUEST_ID_BYTES))
  const requestId = `_${Buffer.from(bytes).toString('hex')}`
  const saml = await library(deps, { provider, service }, { forceAuthn: again, generateUniqueId: () => requestId })
  return { url: await saml.getAuthorizeUrlAsync(state, undefined, {}), kept: { requestId } }
}

async function finish(deps: SamlDeps, settings: SamlSettings, answer: Answer): Promise<Arrival> {
  const at = { step: 'account', field: 'account' }
  const provider = await metadataOf(deps, settings)
  const service = serviceOf(new URL(answer.redirectUri).origin)
  const subject = await provenSubject(deps, { provider, service }, answer)
  const person = personOfSubject(settings, subject)
  if (person === undefined) throw new AppError('SIGN_ON_ANSWER_INVALID', { ...at, field: 'attributes' })
  return { person, session: sessionOf(subject), leave: leaveOf({ provider, service }, subject) }
}

/** @throws AppError SIGN_ON_REFUSED, SIGN_ON_ANSWER_INVALID */
async function provenSubject(deps: SamlDeps, roles: Roles, { posted, kept }: Answer): Promise<Profile> {
  const { answersTo } = roles.service
  try {
    const root = openMessage(Buffer.from(posted, 'base64').toString('utf8'))
    requireAnswer(root, answersTo)
    const refusal = refusalIn(root)
    if (refusal !== undefined) throw new AppError('SIGN_ON_REFUSED', { reason: refusal })
    const { profile } = await (await library(deps, roles)).validatePostResponseAsync({ SAMLResponse: posted })
    if (profile === null || profile.issuer !== roles.provider.entityId) throw new SamlFault('of another issuer')
    const expected = { answersTo, requestId: kept['requestId'] ?? '', now: deps.clock.now() }
    requireConfirmation(profile.getAssertion?.()['Assertion'], expected)
    return profile
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    // Whatever the library finds wrong with it, it proves nothing.
    throw new AppError('SIGN_ON_ANSWER_INVALID', { step: 'account', field: 'account' }, { cause: thrown })
  }
}

/** What a sign-out needs of the session that it ends. */
interface Leave {
  readonly roles: Roles
  readonly subject: Pick<Profile, 'nameID' | 'nameIDFormat' | 'nameQualifier' | 'spNameQualifier' | 'sessionIndex'>
}

function leaveOf(roles: Roles, profile: Profile): string {
  if (roles.provider.signOutUrl === '') return ''
  const { nameID, nameIDFormat, nameQualifier, spNameQualifier, sessionIndex } = profile
  const named = { ...(nameQualifier && { nameQualifier }), ...(spNameQualifier && { spNameQualifier }) }
  const subject = { nameID, nameIDFormat, ...named, ...(sessionIndex && { sessionIndex }) }
  return JSON.stringify({ roles, subject } satisfies Leave)
}

/** Begins the sign-out at the provider (Single Logout); the request is as old as the click. */
async function leave(deps: SamlDeps, kept: string): Promise<string> {
  const { roles, subject } = JSON.parse(kept) as Leave
  return (await library(deps, roles)).getLogoutUrlAsync({ issuer: '', ...subject }, '', {})
}

/** @returns undefined for a sign-out of another provider @throws AppError SIGN_ON_ANSWER_INVALID */
async function signOut(
  deps: SamlDeps,
  settings: SamlSettings,
  { origin, ...message }: SignOutMessage,
): Promise<SignedOut | undefined> {
  const service = serviceOf(origin)
  const { entityId, signInUrl, signedOutUrl, certificates } = await metadataOf(deps, settings)
  const provider = { entityId, signInUrl, certificates, signOutUrl: signedOutUrl }
  try {
    const parts = 'query' in message ? requireSignedQuery(message.query) : undefined
    const request = 'query' in message ? (parts?.get('SAMLRequest') ?? '') : message.request
    const xml = parts === undefined ? Buffer.from(request, 'base64').toString('utf8') : inflated(request)
    const { issuer, at, sessions } = signOutIn(openMessage(xml), { ...service, now: deps.clock.now() })
    if (issuer !== entityId) return undefined
    const saml = await library(deps, { provider, service })
    const { profile } =
      'query' in message
        ? await saml.validateRedirectAsync(Object.fromEntries(parts ?? []), message.query)
        : await saml.validatePostRequestAsync({ SAMLRequest: request })
    if (profile === null) throw new SamlFault('not a sign-out')
    const relayState = parts?.get('RelayState') ?? ('request' in message ? message.relayState : '')
    const url = signedOutUrl === '' ? '' : await saml.getLogoutResponseUrlAsync(profile, relayState, {}, true)
    // Instants are whole seconds with many providers.
    return { ended: { key: profile.nameID.trim(), session: sessionOf(profile, sessions), at: at + 1000 }, url }
  } catch (thrown) {
    throw new AppError('SIGN_ON_ANSWER_INVALID', undefined, { cause: thrown })
  }
}

async function test(deps: SamlDeps, settings: SamlSettings): Promise<TestResult> {
  const begun = deps.clock.monotonic()
  await metadataOf(deps, settings)
  const step: ProviderTestStep = 'discover'
  return { steps: [{ step, ms: Math.round(deps.clock.monotonic() - begun) }], person: undefined }
}
