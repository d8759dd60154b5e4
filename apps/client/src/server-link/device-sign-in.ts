import { hostname, platform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginDeviceSignIn, deviceSignInAnswer, openClient, type ProgramFacts } from '@godwit/sdk'
import type { Profiles } from '../profiles/profile.ts'
import { CLIENT_VERSION } from '../version.ts'
import { connectApi } from './api.ts'

/** What a person needs to confirm a sign-in. */
export interface Confirmation {
  /** Of the server itself. */
  readonly url: string
  readonly userCode: string
  /** Seconds. */
  readonly expiresIn: number
}

/** The sign-in came to an end without a token. */
export class SignInRefused extends Error {
  readonly reason: 'denied' | 'expired'

  constructor(reason: SignInRefused['reason']) {
    super(reason === 'denied' ? 'the sign-in was refused in the browser' : 'nobody confirmed the code in time')
    this.reason = reason
  }
}

export interface BegunSignIn extends Confirmation {
  /** Asks until somebody has confirmed it. @throws SignInRefused */
  readonly token: (signal: AbortSignal) => Promise<string>
}

/** Asks a server for a code. @throws Error when it is away, or is no such server */
export async function beginSignIn(server: string): Promise<BegunSignIn> {
  const client = openClient({ server })
  const { deviceCode, userCode, path, expiresIn, interval } = await beginDeviceSignIn(client, thisDevice())
  const url = new URL(path, server)
  // The server chooses the path, and a page makes a link of it.
  if (url.origin !== server) throw new Error('the server names a page of another one')
  const token = async (signal: AbortSignal): Promise<string> => {
    for (;;) {
      const { state, token: granted } = await deviceSignInAnswer(client, deviceCode)
      if (state === 'granted') return granted
      if (state !== 'pending') throw new SignInRefused(state)
      await sleep(interval * 1000, undefined, { signal })
    }
  }
  return { url: url.href, userCode, expiresIn, token }
}

/** Keeps the token of an account. @returns the account, and where the token is kept now */
export async function keepSignIn(
  profiles: Profiles,
  { server, token }: { readonly server: string; readonly token: string },
): Promise<{ readonly account: string; readonly kept: 'keyring' | 'file' }> {
  const api = connectApi({ server, token }, hostname())
  const account = await api.account()
  await api.register(thisDevice())
  return { account, kept: await profiles.write({ server, account, token }) }
}

export function thisDevice(): ProgramFacts {
  return { name: hostname().slice(0, 64) || 'client', platform: platform(), version: CLIENT_VERSION }
}
