import { createRequire } from 'node:module'
import { freePort } from './free-port.ts'
import { launch } from './program.ts'

/** A blob service of the test's own: Azurite, in memory. */
export interface Azurite {
  readonly endpoint: string
  readonly account: string
  readonly accountKey: string
  stop(): Promise<void>
}

const require = createRequire(import.meta.url)

/** The account that Azurite has by itself. */
const ACCOUNT = 'devstoreaccount1'
const ACCOUNT_KEY = Buffer.from('a key of the tests, of no account of the world').toString('base64')

export async function launchAzurite(): Promise<Azurite> {
  const port = await freePort()
  const main = require.resolve('azurite/dist/src/blob/main.js')
  const options = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--inMemoryPersistence', '--silent']
  const program = await launch(
    [process.execPath, main, ...options, '--skipApiVersionCheck', '--disableProductStyleUrl', '--disableTelemetry'],
    { isReady: () => answers(port), env: { AZURITE_ACCOUNTS: `${ACCOUNT}:${ACCOUNT_KEY}` } },
  )
  return {
    endpoint: `http://127.0.0.1:${port}/${ACCOUNT}`,
    ...{ account: ACCOUNT, accountKey: ACCOUNT_KEY },
    async stop() {
      await program.end('SIGKILL')
    },
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/${ACCOUNT}?comp=list`)
    return true
  } catch (error) {
    // fetch reports a refused connection, which is what "not yet" looks like, as TypeError.
    if (error instanceof TypeError) return false
    throw error
  }
}
