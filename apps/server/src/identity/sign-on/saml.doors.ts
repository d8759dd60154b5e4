import type { IncomingMessage, ServerResponse } from 'node:http'
import { signOnRoutes as routes, SIGN_ON_PAGE } from '@godwit/contract'
import type { RawEndpoint, RequestBytes } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import { sourceOf, type AuthDeps } from '../auth/index.ts'
import {
  keepPosted,
  MESSAGE_MAX_BYTES,
  samlSigner,
  serviceOf,
  signedOutBy,
  writeMetadata,
  type SignOnDeps,
} from '../providers/index.ts'
import { formOf } from './form-body.ts'

export interface SamlDoorsDeps {
  readonly auth: Pick<AuthDeps, 'sessions'>
  readonly signOn: SignOnDeps
  /** '' when the operator did not say it. */
  readonly publicUrl: string
  readonly notices: CallLimit
}

/** A message in a form is in base64, which is percent-encoded again. */
const FORM_MAX_BYTES = 2 * MESSAGE_MAX_BYTES
const SIGN_IN_PAGE = '/signin'

/** What SAML providers, and the browsers that they send, call. */
export function samlDoors(deps: SamlDoorsDeps): RawEndpoint[] {
  return [
    { spec: routes.samlMetadata, handle: (_ctx, { res }) => metadata(deps, res) },
    {
      spec: routes.samlAnswer,
      isForeign: true,
      async handle(ctx, { res, body }) {
        await deps.notices.take(sourceOf(ctx.address))
        await answered(deps, res, body)
      },
    },
    {
      spec: routes.samlSignOut,
      async handle(ctx, { req, res, query }) {
        await deps.notices.take(sourceOf(ctx.address))
        if (query.has('SAMLResponse')) return leadTo(res, SIGN_IN_PAGE)
        await signOut(deps, res, { query: queryOf(req), origin: originOf(deps) })
      },
    },
    {
      spec: routes.samlSignOutForm,
      isForeign: true,
      async handle(ctx, { res, body }) {
        await deps.notices.take(sourceOf(ctx.address))
        const form = await formOf(body, FORM_MAX_BYTES)
        if (form.has('SAMLResponse')) return leadTo(res, SIGN_IN_PAGE)
        const message = { request: form.get('SAMLRequest') ?? '', relayState: form.get('RelayState') ?? '' }
        await signOut(deps, res, { ...message, origin: originOf(deps) })
      },
    },
  ]
}

/** @throws AppError PUBLIC_ADDRESS_UNKNOWN: nothing in the requests that come here may say it */
export function originOf({ publicUrl }: Pick<SamlDoorsDeps, 'publicUrl'>): string {
  if (!URL.canParse(publicUrl)) throw new AppError('PUBLIC_ADDRESS_UNKNOWN')
  return new URL(publicUrl).origin
}

async function metadata(deps: SamlDoorsDeps, res: ServerResponse): Promise<void> {
  const { certificate } = await samlSigner(deps.signOn)
  const text = writeMetadata(serviceOf(originOf(deps)), certificate)
  res.writeHead(200, {
    'content-type': 'application/samlmetadata+xml; charset=utf-8',
    'content-disposition': 'inline; filename="metadata.xml"',
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  res.end(text)
}

/** The page says whatever is wrong with it, so a person never stands before an answer for programs. */
async function answered({ signOn }: SamlDoorsDeps, res: ServerResponse, body: RequestBytes): Promise<void> {
  const form = await formOf(body, FORM_MAX_BYTES)
  const state = form.get('RelayState') ?? ''
  await keepPosted(signOn, { state, posted: form.get('SAMLResponse') ?? '' })
  leadTo(res, `${SIGN_ON_PAGE}?${new URLSearchParams({ state }).toString()}`)
}

async function signOut(
  { auth, signOn }: SamlDoorsDeps,
  res: ServerResponse,
  message: Parameters<typeof signedOutBy>[1],
): Promise<void> {
  const { sessions, url } = await signedOutBy(signOn, message)
  for (const { id, userId } of sessions) await auth.sessions.end(id, userId, 'elsewhere')
  leadTo(res, url === '' ? SIGN_IN_PAGE : url)
}

/** 303: a posted form is not posted again. */
function leadTo(res: ServerResponse, location: string): void {
  res.writeHead(303, {
    ...{ location, 'cache-control': 'no-store', 'content-length': 0 },
    ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  })
  res.end()
}

function queryOf({ url = '' }: IncomingMessage): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}
