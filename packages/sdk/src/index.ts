import { Godwit } from './godwit.ts'
import { type ConnectOptions, type SignInOptions, tokensOf } from './session.ts'

/**
 * Signs in with account and password; the session renews itself while calls are made.
 * @throws ApiError, such as PASSWORD_WRONG, SECOND_FACTOR_REQUIRED, ACCOUNT_LOCKED
 */
export async function signIn(options: SignInOptions): Promise<Godwit> {
  return new Godwit({ ...options, ...(await tokensOf(options)) })
}

/** With an API token, or with the tokens that an earlier run has kept. Nothing is asked before the first call. */
export function connect(options: ConnectOptions): Godwit {
  return new Godwit(options)
}

export { ApiError } from '@godwit/contract/wire/api-error'
export { beginDeviceSignIn, deviceSignInAnswer, type DeviceSignIn, type ProgramFacts } from './device-sign-in.ts'
export { type Download, type DownloadOptions } from './downloads.ts'
export { isTemporary } from './failures.ts'
export { type CreatedLink, type Godwit, type WantedLink } from './godwit.ts'
export { type Place } from './places.ts'
export { type ConnectOptions, openClient, type SignInOptions, type Tokens } from './session.ts'
export { type UploadOptions, type UploadProgress } from './uploads.ts'
