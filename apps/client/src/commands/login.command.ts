import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { typedServer } from '@godwit/contract'
import { ApiError, isTemporary } from '@godwit/sdk'
import { connectApi } from '../server-link/api.ts'
import { beginSignIn, keepSignIn } from '../server-link/device-sign-in.ts'
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
  const { account, kept } = await keepSignIn(profiles, { server, token })
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

/** Shows a code, and asks until somebody has confirmed it in a browser. @throws Error when it was refused or took too long */
async function tokenByBrowser({ output, signal }: Context, server: string): Promise<string> {
  const { url, userCode, expiresIn, token } = await beginSignIn(server)
  const minutes = Math.round(expiresIn / 60)
  const rest = `and confirm the code ${userCode}. It counts for ${minutes} minutes.`
  output.emit('confirm', { url, userCode, expiresIn }, `Open ${url}`, rest)
  return token(signal)
}

/** @throws UsageError */
function originOf(address: string): string {
  const server = typedServer(address)
  if (server === undefined) throw new UsageError(`not an address: ${address}`)
  return server
}

/** Never on the command line, where every user of the machine can read it. */
async function givenToken(file: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  if (file === undefined) return environment['GODWIT_TOKEN'] ?? ''
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8')
}
