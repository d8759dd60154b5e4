import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Whose token it is. */
export interface KeyringEntry {
  readonly server: string
  readonly account: string
}

/** The keyring of the desktop. */
export interface Keyring {
  /** @returns false where it does not take it, such as a locked or absent one */
  store(entry: KeyringEntry, token: string): Promise<boolean>
  lookup(entry: KeyringEntry): Promise<string | undefined>
  clear(entry: KeyringEntry): Promise<void>
}

const PROGRAM = 'secret-tool'
/** A keyring that asks a person who is not there must not stop a script. */
const ANSWER_MS = 60_000

/** The keyring behind `secret-tool` of libsecret. The token goes through its standard input: a command line can be read by others. */
export function systemKeyring(environment: NodeJS.ProcessEnv): Keyring {
  const attributes = ({ server, account }: KeyringEntry): readonly string[] => [
    ...['application', 'godwit-client', 'server', server, 'account', account],
  ]
  const run = async (words: readonly string[], input = ''): Promise<string | undefined> => {
    const child = spawn(PROGRAM, [...words], {
      ...{ env: environment, stdio: ['pipe', 'pipe', 'ignore'], timeout: ANSWER_MS },
    })
    // A program that ends before it has read its input says so by its exit code.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    try {
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
      return child.exitCode === 0 ? output : undefined
    } catch (thrown) {
      // Not installed, like most servers.
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
      throw thrown
    }
  }
  return {
    async store(entry, token) {
      const label = `Godwit client: ${entry.account} at ${entry.server}`
      const stored = await run(['store', `--label=${label}`, ...attributes(entry)], token)
      // Some setups accept what they cannot give back.
      return stored !== undefined && (await this.lookup(entry)) === token
    },
    async lookup(entry) {
      const found = (await run(['lookup', ...attributes(entry)]))?.trim()
      return found === '' ? undefined : found
    },
    async clear(entry) {
      await run(['clear', ...attributes(entry)])
    },
  }
}
