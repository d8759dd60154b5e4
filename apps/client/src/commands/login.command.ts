import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { connectApi } from '../server-link/api.ts'
import { type Context, UsageError } from './context.ts'

/** godwit-client login SERVER: keeps an API token of the account, once the server has taken it. */
export async function login({ words, options, output, profiles, environment }: Context): Promise<number> {
  const [address, ...more] = words
  if (address === undefined || more.length > 0)
    throw new UsageError('login needs one address, such as https://files.example.org')
  const server = originOf(address)
  const token = (await givenToken(options.tokenFile, environment)).trim()
  if (token === '') throw new UsageError('no token: make one at Profile > API tokens, and pass it with --token-file')
  const account = await connectApi({ server, token }, hostname()).account()
  await profiles.write({ server, token })
  output.emit('signed-in', { server, account }, `Signed in to ${server} as ${account}.`)
  return 0
}

function originOf(address: string): string {
  const text = /^https?:\/\//.test(address) ? address : `https://${address}`
  if (!URL.canParse(text)) throw new UsageError(`not an address: ${address}`)
  return new URL(text).origin
}

/** Never on the command line, where every user of the machine can read it. */
async function givenToken(file: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  if (file === undefined) return environment['GODWIT_TOKEN'] ?? ''
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8')
}
