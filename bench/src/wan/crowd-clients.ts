import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { signIn } from '@godwit/sdk'
import { createRateLimit } from '@godwit/transport/core'
import { systemMicros } from '@godwit/transport/node'
import { connectApi } from '../../../apps/client/src/server-link/api.ts'
import { runUpload } from '../../../apps/client/src/transfers/upload.ts'

/**
 * `node crowd-clients.ts PLAN`: many uploads of the desktop client's own code at once, each with a connection and a ticket of its own. They
 * begin slowly, one after the other; `ready` says that all are moving, and a line from standard input lets them go as fast as they can.
 * Prints the file bytes that have moved by each of them, four times a second.
 */
interface Plan {
  readonly url: string
  readonly password: string
  readonly transfers: ReadonlyArray<{ readonly account: string; readonly path: string }>
}

const LOOK_MS = 250
const BETWEEN_MS = 200
/** All of them together, until they are let go. */
const SLOW_BITS = 4e6

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan
const { url, password, transfers } = plan
const moved = transfers.map(() => 0)
const ceiling = createRateLimit(systemMicros(), SLOW_BITS)

const accounts = new Map<string, { readonly token: string; readonly spaceId: number }>()
for (const account of new Set(transfers.map((one) => one.account))) {
  const { token } = (await signIn({ server: url, account, password })).tokens
  accounts.set(account, { token, spaceId: await connectApi({ server: url, token }, 'bench').defaultSpace() })
}

async function begin({ account, path }: Plan['transfers'][number], at: number): Promise<boolean> {
  await sleep(at * BETWEEN_MS)
  const { token, spaceId } = accounts.get(account) ?? { token: '', spaceId: 0 }
  const profile = { server: url, account, token }
  let begun: string | undefined
  const parts = {
    profile,
    api: connectApi(profile, `bench-${at}`),
    kept: {
      transferOf: () => Promise.resolve(begun),
      keepTransfer: async (_task: string, id: string) => void (begun = id),
      forgetTransfer: () => Promise.resolve(),
    },
    link: {
      ...{ apiHost: new URL(url).hostname, udp: 'auto' as const, rate: Infinity, ceiling },
      signal: new AbortController().signal,
    },
    eventsOf: (attempt: { movedBytes: number }) => ({
      progress({ bytesMoved }: { readonly bytesMoved: number }) {
        attempt.movedBytes = bytesMoved
        moved[at] = bytesMoved
      },
    }),
    ...{ exclude: [], onLocked: () => undefined },
    onRetry: (reason: string) => process.stderr.write(`${account}: ${reason}\n`),
  }
  const { failures } = await runUpload(parts, { spaceId, groupId: 0, roots: [path], folder: '/' })
  return failures.length === 0
}

const all = Promise.all(transfers.map(begin))
all.catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`)
  process.exit(1)
})
while (moved.includes(0)) await sleep(LOOK_MS)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
ceiling.setRate(systemMicros(), Infinity)
const timer = setInterval(() => process.stdout.write(`${JSON.stringify(moved)}\n`), LOOK_MS)
const results = await all
clearInterval(timer)
process.stdout.write(`${JSON.stringify(moved)}\n`, () => process.exit(results.every(Boolean) ? 0 : 1))
