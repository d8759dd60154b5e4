import type { Profile, SAML, SamlConfig } from '@node-saml/node-saml'
import type { Clock } from '@godwit/base'
import { AppError } from '../../../kernel/errors.ts'
import type { Answer, SignOutMessage } from '../provider.types.ts'
import type { IdentityProvider, ServiceProvider } from './saml.metadata.ts'
import {
  inflated,
  openMessage,
  refusalIn,
  requireAnswer,
  requireConfirmation,
  requireSignedQuery,
  SamlFault,
  signOutIn,
  SKEW_MS,
} from './saml.policy.ts'

export interface SamlRoles {
  readonly provider: Pick<IdentityProvider, 'entityId' | 'signInUrl' | 'certificates'> & { readonly signOutUrl: string }
  readonly service: ServiceProvider
}

interface Now {
  readonly clock: Pick<Clock, 'now'>
}

/** A person has just signed in there; what is older was kept for something else. */
const ASSERTION_AGE_MS = 10 * 60_000

/** What checks messages of a provider; with a private key it also writes signed ones. */
export async function samlLibrary({ provider, service }: SamlRoles, more: Partial<SamlConfig> = {}): Promise<SAML> {
  // Most servers have no identity provider; until somebody needs it, the library takes no memory.
  const { SAML } = await import('@node-saml/node-saml')
  return new SAML({
    ...{ issuer: service.entityId, audience: service.entityId, callbackUrl: service.answersTo },
    ...{ entryPoint: provider.signInUrl, logoutUrl: provider.signOutUrl, idpIssuer: provider.entityId },
    idpCert: [...provider.certificates],
    ...{ signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
    // The provider chooses both.
    ...{ identifierFormat: null, disableRequestedAuthnContext: true },
    ...{ wantAssertionsSigned: true, wantAuthnResponseSigned: false },
    ...{ acceptedClockSkewMs: SKEW_MS, maxAssertionAgeMs: ASSERTION_AGE_MS },
    ...more,
  })
}

/**
 * Whom the provider signed in, by an answer that it signed for this very request.
 * @throws AppError SIGN_ON_REFUSED, SIGN_ON_ANSWER_INVALID
 */
export async function provenSubject(
  { clock }: Now,
  roles: SamlRoles,
  { posted, kept }: Pick<Answer, 'posted' | 'kept'>,
): Promise<Profile> {
  const { answersTo } = roles.service
  try {
    const root = openMessage(Buffer.from(posted, 'base64').toString('utf8'))
    requireAnswer(root, answersTo)
    const refusal = refusalIn(root)
    if (refusal !== undefined) throw new AppError('SIGN_ON_REFUSED', { reason: refusal })
    const { profile } = await (await samlLibrary(roles)).validatePostResponseAsync({ SAMLResponse: posted })
    if (profile === null || profile.issuer !== roles.provider.entityId) throw new SamlFault('of another issuer')
    const expected = { answersTo, requestId: kept['requestId'] ?? '', now: clock.now() }
    requireConfirmation(profile.getAssertion?.()['Assertion'], expected)
    return profile
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    // Whatever the library finds wrong with it, it proves nothing.
    throw new AppError('SIGN_ON_ANSWER_INVALID', { step: 'account', field: 'account' }, { cause: thrown })
  }
}

export interface ProvenSignOut {
  readonly profile: Profile
  /** Unix milliseconds. */
  readonly at: number
  /** How many sessions it names. */
  readonly sessions: number
  readonly relayState: string
}

/**
 * Whom the provider signs out.
 * @returns undefined for a sign-out of another provider
 * @throws AppError SIGN_ON_ANSWER_INVALID
 */
export async function provenSignOut(
  { clock }: Now,
  roles: SamlRoles,
  message: SignOutMessage,
): Promise<ProvenSignOut | undefined> {
  try {
    const parts = 'query' in message ? requireSignedQuery(message.query) : undefined
    const request = 'query' in message ? (parts?.get('SAMLRequest') ?? '') : message.request
    const xml = parts === undefined ? Buffer.from(request, 'base64').toString('utf8') : inflated(request)
    const { issuer, at, sessions } = signOutIn(openMessage(xml), { ...roles.service, now: clock.now() })
    if (issuer !== roles.provider.entityId) return undefined
    const saml = await samlLibrary(roles)
    const { profile } =
      'query' in message
        ? await saml.validateRedirectAsync(Object.fromEntries(parts ?? []), message.query)
        : await saml.validatePostRequestAsync({ SAMLRequest: request })
    if (profile === null) throw new SamlFault('not a sign-out')
    const relayState = parts?.get('RelayState') ?? ('request' in message ? message.relayState : '')
    return { profile, at, sessions, relayState }
  } catch (thrown) {
    throw new AppError('SIGN_ON_ANSWER_INVALID', undefined, { cause: thrown })
  }
}
