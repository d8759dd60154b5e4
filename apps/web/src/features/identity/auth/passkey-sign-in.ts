import { routes } from '@godwit/contract/table'
import type { Clock } from '@godwit/base'
import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { type Api, isRefusal } from '../../../lib/http.ts'
import type { SessionStore } from '../../../lib/session.ts'
import { signedIn } from './signed-in.ts'

interface PasskeyDeps {
  readonly api: Api
  readonly session: SessionStore
  readonly clock: Clock
}

/**
 * Lets the person choose a passkey and signs in with it. Closing the browser's own dialog is no failure.
 * @throws ApiError
 */
export async function signInWithPasskey(deps: PasskeyDeps): Promise<void> {
  await authenticate(deps, false)
}

/** Offers the passkeys of this browser in the account field until `signal` ends it; what goes wrong stays silent. */
export async function offerPasskeys(deps: PasskeyDeps, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !(await browserSupportsWebAuthnAutofill())) return
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true })
  try {
    await authenticate(deps, true)
  } catch {
    // Nobody asked for it: the button and the password are still there.
  }
}

async function authenticate({ api, session, clock }: PasskeyDeps, useBrowserAutofill: boolean): Promise<void> {
  const begun = await api.call(routes.security.beginPasskeyLogin, { body: {} }, { token: null })
  const optionsJSON = begun.options as unknown as PublicKeyCredentialRequestOptionsJSON
  const response = await chosen(startAuthentication({ optionsJSON, useBrowserAutofill }))
  if (response === undefined) return
  const body = { challengeId: begun.challengeId, response: { ...response } }
  session.set(signedIn(await api.call(routes.security.finishPasskeyLogin, { body }, { token: null }), clock))
}

/** @returns undefined when the person closed the dialog, took too long, or something newer took its place */
async function chosen<Response>(ceremony: Promise<Response>): Promise<Response | undefined> {
  try {
    return await ceremony
  } catch (error) {
    if (isRefusal(error)) throw error
    return undefined
  }
}
