import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { MemoryCage } from './memory-cage.ts'
import { launch, type Ending } from './program.ts'

/** A server process of the test's own. */
export interface Godwit {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly data: string
  readonly pid: number
  readonly administrator: { readonly account: string; readonly password: string }
  /** Everything it printed and logged so far. */
  output(): string
  /** Ends the process and keeps its data, so that another one may be launched on it. */
  end(signal: NodeJS.Signals): Promise<Ending>
  /** Ends the process and removes its data if this launch created it. */
  stop(): Promise<void>
}

export interface GodwitOptions {
  /** Folder for its data. Default: a new one, removed by `stop`. */
  readonly data?: string
  /** Default: any free port. A restart on the same port keeps open pages working. */
  readonly port?: number
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Bounds the memory of the process. */
  readonly cage?: MemoryCage | undefined
}

const ROOT = resolve(import.meta.dirname, '../../../..')
/** Node options, the same as in the first line of bin/godwit.js and in `npm start`. */
const FLAGS = ['--max-semi-space-size=2', '--single-threaded-gc']
const ADMINISTRATOR = { account: 'admin', password: 'Longest-flight-7' }

/** Starts `godwit serve` with an administrator and waits until it listens. */
export async function launchGodwit({ data, port, flags, env, cage }: GodwitOptions = {}): Promise<Godwit> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'godwit-data-')))
  const program = join(ROOT, 'apps/server/bin/godwit.js')
  const serve = ['serve', '--port', String(port ?? 0), '--data', folder, ...(flags ?? [])]
  const argv = [process.execPath, ...FLAGS, program, ...serve] as const
  const server = await launch(cage?.wrap([...argv]) ?? argv, {
    env: {
      GODWIT_ADMIN_ACCOUNT: ADMINISTRATOR.account,
      GODWIT_ADMIN_PASSWORD: ADMINISTRATOR.password,
      // A machine of a developer may have programs that others have not: tests name those they want.
      GODWIT_PREVIEW_OFFICE: 'off',
      ...env,
    },
    isReady: (output) => addressIn(output) !== undefined,
    timeoutMs: 60_000,
  })
  return {
    url: addressIn(server.output()) ?? '',
    data: folder,
    pid: server.pid,
    administrator: ADMINISTRATOR,
    output: () => server.output(),
    end: (signal) => server.end(signal),
    async stop() {
      await server.end('SIGTERM')
      if (data === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function addressIn(output: string): string | undefined {
  return /Godwit listens on (http:\/\/[^\s]+)/.exec(output)?.[1]
}
