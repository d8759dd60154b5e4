import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { loginReply } from './auth.ts'

/** Sign-ins at an identity provider of the house: begun here, proved there, and finished by the page that comes back. */

/** The page that providers send people back to; a client of theirs has to allow it. */
export const SIGN_ON_PAGE = '/signin/callback'
/** Where providers say that somebody signed out there. */
export const SIGN_ON_ENDED = '/api/user/sign-on/ended'

/** Where SAML providers read what this site is, send their answers, and send people to be signed out. */
export const SAML_PATHS = {
  metadata: '/api/user/sign-on/saml/metadata',
  answers: '/api/user/sign-on/saml',
  signOuts: '/api/user/sign-on/saml/sign-out',
} as const

const number = z.int().min(1)

export const signOnRoutes = {
  begin: defineRoute({
    method: 'POST',
    path: '/api/user/sign-on/begin',
    summary:
      'Begin a sign-in at an identity provider: the address to go to, and a key that this browser keeps until it is back',
    access: 'public',
    body: z.strictObject({
      providerId: number,
      /** The provider asks for the credentials again, whatever it remembers. */
      again: z.boolean().default(false),
    }),
    reply: z.object({ url: z.string(), key: z.string() }),
    errors: [
      'AUTH_PROVIDER_NOT_FOUND',
      'RATE_LIMITED',
      'EXTERNAL_AUTH_UNREACHABLE',
      'SIGN_ON_CERTIFICATE_INVALID',
      'SIGN_ON_ANSWER_INVALID',
      'SAML_METADATA_INVALID',
    ],
  }),
  finish: defineRoute({
    method: 'POST',
    path: '/api/user/sign-on/finish',
    summary:
      'Finish it with what the provider sent back; counts once, within ten minutes, in the browser that began it',
    access: 'public',
    body: z.strictObject({
      key: z.string().max(64),
      /** Query string of the address that the provider led back to. */
      answer: z.string().max(8192),
    }),
    reply: loginReply,
    errors: [
      'SIGN_ON_STALE',
      'SIGN_ON_REFUSED',
      'SIGN_ON_NO_ACCOUNT',
      'SIGN_ON_ANSWER_INVALID',
      'SIGN_ON_CLIENT_REFUSED',
      'SIGN_ON_CERTIFICATE_INVALID',
      'SAML_METADATA_INVALID',
      'EXTERNAL_AUTH_UNREACHABLE',
      'ACCOUNT_LOCKED',
      'ACCOUNT_DISABLED',
      'ADDRESS_NOT_ALLOWED',
      'RATE_LIMITED',
    ],
  }),
  ended: defineRoute({
    method: 'POST',
    path: SIGN_ON_ENDED,
    summary: 'An identity provider says that somebody signed out there (OpenID Connect Back-Channel Logout 1.0)',
    access: 'public',
    raw: 'both',
    body: z.object({ logout_token: z.string() }),
    reply: z.object({}),
    errors: ['SIGN_ON_ANSWER_INVALID'],
  }),
  samlMetadata: defineRoute({
    method: 'GET',
    path: SAML_PATHS.metadata,
    summary: 'SAML 2.0 metadata of this site, for the identity provider; its address is also the entity ID',
    access: 'public',
    raw: 'reply',
    reply: z.string(),
    errors: ['PUBLIC_ADDRESS_UNKNOWN'],
  }),
  samlAnswer: defineRoute({
    method: 'POST',
    path: SAML_PATHS.answers,
    summary:
      'An identity provider has the browser post its answer here (SAML 2.0, HTTP-POST); leads on to the page that finishes the sign-in',
    access: 'public',
    raw: 'both',
    body: z.object({ SAMLResponse: z.string(), RelayState: z.string() }),
    reply: z.object({}),
    errors: ['RATE_LIMITED'],
  }),
  samlSignOut: defineRoute({
    method: 'GET',
    path: SAML_PATHS.signOuts,
    summary:
      'An identity provider sends the browser here to sign out, or back from a sign-out (SAML 2.0, HTTP-Redirect)',
    access: 'public',
    raw: 'both',
    reply: z.object({}),
    errors: ['SIGN_ON_ANSWER_INVALID', 'PUBLIC_ADDRESS_UNKNOWN', 'RATE_LIMITED'],
  }),
  samlSignOutForm: defineRoute({
    method: 'POST',
    path: SAML_PATHS.signOuts,
    summary: 'The same by a form (SAML 2.0, HTTP-POST)',
    access: 'public',
    raw: 'both',
    body: z.object({ SAMLRequest: z.string().optional(), SAMLResponse: z.string().optional() }),
    reply: z.object({}),
    errors: ['SIGN_ON_ANSWER_INVALID', 'PUBLIC_ADDRESS_UNKNOWN', 'RATE_LIMITED'],
  }),
}
