import { readFile } from 'node:fs/promises'
import { hostname, platform } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ApiError,
  beginDeviceSignIn,
  deviceSignInAnswer,
  isTemporary,
  openClient,
  type ProgramFacts,
} from '@godwit/sdk'
import { CLIENT_VERSION } from '../version.ts'
import { connectApi } from '../server-link/api.ts'
import { type Context, UsageError } from './context.ts'

/** godwit-client login SERVER: keeps a token of the account, from the browser or from a file. */
export async function login(context: Context): Promise<number> {
  const { words, options, output, profiles, environment } = context
  const [address, ...more] = words
  if (address === undefined || more.length > 0)
    throw new UsageError('login needs one address, such as https://files.example.org')
  const server = originOf(address)
  const given = (await givenToken(options.tokenFile, environment)).trim()
  const token = given === '' ? await tokenByBrowser(context, server) : given
  const api = connectApi({ server, token }, hostname())
  const account = await api.account()
  await api.register(thisProgram())
  const kept = await profiles.write({ server, account, token })
  const where = kept === 'keyring' ? 'the keyring' : 'a file that only you can read'
  output.emit('signed-in', { server, account, kept }, `Signed in to ${server} as ${account}. The token is in ${where}.`)
  return 0
}

/** godwit-client logout [SERVER]: revokes the token and forgets it. */
export async function logout({ words, options, output, profiles }: Context): Promise<number> {
  const [address, ...more] = words
  if (more.length > 0) throw new UsageError('logout needs at most one address')
  const server = address === undefined ? options.server : originOf(address)
  const profile = await profiles.read({ server, account: options.account })
  if (profile === undefined) throw new UsageError('nobody is signed in there')
  try {
    await connectApi(profile, hostname()).signOut()
  } catch (thrown) {
    // A token that counts no more needs no end.
    if (!(thrown instanceof ApiError) || isTemporary(thrown)) throw thrown
  }
  await profiles.remove(profile)
  output.emit('signed-out', { server: profile.server, account: profile.account }, `Signed out of ${profile.server}.`)
  return 0
}

/** godwit-client accounts */
export async function accounts({ output, profiles }: Context): Promise<number> {
  for (const profile of await profiles.list())
    output.emit('account', { ...profile }, `${profile.account} at ${profile.server}`)
  return 0
}

export function thisProgram(): ProgramFacts {
  return { name: hostname().slice(0, 64) || 'client', platform: platform(), version: CLIENT_VERSION }
}

/** Shows a code, and asks until somebody has confirmed it in a browser. @throws Error when it was refused or took too long */
async function tokenByBrowser({ output, signal }: Context, server: string): Promise<string> {
  const client = openClient({ server })
  const { deviceCode, userCode, path, expiresIn, interval } = await beginDeviceSignIn(client, thisProgram())
  const url = new URL(path, server).href
  const minutes = Math.round(expiresIn / 60)
  const rest = `and confirm the code ${userCode}. It counts for ${minutes} minutes.`
  output.emit('confirm', { url, userCode, expiresIn }, `Open ${url}`, rest)
  for (;;) {
    const { state, token } = await deviceSignInAnswer(client, deviceCode)
    if (state === 'granted') return token
    if (state === 'denied') throw new Error('the sign-in was refused in the browser')
    if (state === 'expired') throw new Error('nobody confirmed the code in time')
    await sleep(interval * 1000, undefined, { signal })
  }
}

function originOf(address: string): string {
  const given = /^https?:\/\//.test(address) ? address : `https://${address}`
  if (!URL.canParse(given)) throw new UsageError(`not an address: ${address}`)
  return new URL(given).origin
}

/** Never on the command line, where every user of the machine can read it. */
async function givenToken(file: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  if (file === undefined) return environment['GODWIT_TOKEN'] ?? ''
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8')
}
