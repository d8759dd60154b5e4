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
import { personOfSubject, sessionOf } from './saml.policy.ts'
import { provenSignOut, provenSubject, samlLibrary, type SamlRoles } from './saml.proofs.ts'
import { samlSigner, type SignerDeps } from './saml.signer.ts'

export interface SamlDeps extends SignerDeps {
  readonly outbound: Outbound
}

/** Everything that is asked of the provider for one call here. */
const CHECK_MS = 9_000
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

/** The library with the key of this site, for what is sent to a provider. */
async function signingLibrary(deps: SamlDeps, roles: SamlRoles, more: Partial<SamlConfig> = {}): Promise<SAML> {
  const { key } = await samlSigner(deps)
  return samlLibrary(roles, { privateKey: key, ...more })
}

async function begin(deps: SamlDeps, settings: SamlSettings, { redirectUri, state, again }: Way): Promise<Departure> {
  const provider = await metadataOf(deps, settings)
  const service = serviceOf(new URL(redirectUri).origin)
  // An ID of XML begins with a letter or an underscore.
  const bytes = deps.random.fill(new Uint8Array(REQUEST_ID_BYTES))
  const requestId = `_${Buffer.from(bytes).toString('hex')}`
  const saml = await signingLibrary(
    deps,
    { provider, service },
    { forceAuthn: again, generateUniqueId: () => requestId },
  )
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

/** What a sign-out needs of the session that it ends. */
interface Leave {
  readonly roles: SamlRoles
  readonly subject: Pick<Profile, 'nameID' | 'nameIDFormat' | 'nameQualifier' | 'spNameQualifier' | 'sessionIndex'>
}

function leaveOf(roles: SamlRoles, profile: Profile): string {
  if (roles.provider.signOutUrl === '') return ''
  const { nameID, nameIDFormat, nameQualifier, spNameQualifier, sessionIndex } = profile
  const named = { ...(nameQualifier && { nameQualifier }), ...(spNameQualifier && { spNameQualifier }) }
  const subject = { nameID, nameIDFormat, ...named, ...(sessionIndex && { sessionIndex }) }
  return JSON.stringify({ roles, subject } satisfies Leave)
}

/** Begins the sign-out at the provider (Single Logout); the request is as old as the click. */
async function leave(deps: SamlDeps, kept: string): Promise<string> {
  const { roles, subject } = JSON.parse(kept) as Leave
  return (await signingLibrary(deps, roles)).getLogoutUrlAsync({ issuer: '', ...subject }, '', {})
}

/** @returns undefined for a sign-out of another provider @throws AppError SIGN_ON_ANSWER_INVALID */
async function signOut(
  deps: SamlDeps,
  settings: SamlSettings,
  message: SignOutMessage,
): Promise<SignedOut | undefined> {
  const service = serviceOf(message.origin)
  const { entityId, signInUrl, signedOutUrl, certificates } = await metadataOf(deps, settings)
  const provider = { entityId, signInUrl, certificates, signOutUrl: signedOutUrl }
  const roles = { provider, service }
  const proven = await provenSignOut(deps, roles, message)
  if (proven === undefined) return undefined
  const { profile, at, sessions, relayState } = proven
  const saml = await signingLibrary(deps, roles)
  const url = signedOutUrl === '' ? '' : await saml.getLogoutResponseUrlAsync(profile, relayState, {}, true)
  // Instants are whole seconds with many providers.
  return { ended: { key: profile.nameID.trim(), session: sessionOf(profile, sessions), at: at + 1000 }, url }
}

async function test(deps: SamlDeps, settings: SamlSettings): Promise<TestResult> {
  const begun = deps.clock.monotonic()
  await metadataOf(deps, settings)
  const step: ProviderTestStep = 'discover'
  return { steps: [{ step, ms: Math.round(deps.clock.monotonic() - begun) }], person: undefined }
}
