import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { launch, type Program } from './program.ts'

/** A Redis of the test's own, on a free port. */
export interface Redis {
  /** `redis://127.0.0.1:port` */
  readonly url: string
  /** Ends the server and discards its data. */
  down(): Promise<void>
  /** Starts it again on the same port, empty. */
  up(): Promise<void>
  stop(): Promise<void>
}

export async function launchRedis(): Promise<Redis> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-redis-'))
  const port = await freePort()
  const quiet = ['--save', '', '--appendonly', 'no', '--dir', folder]
  const start = (): Promise<Program> =>
    launch(['redis-server', '--port', String(port), '--bind', '127.0.0.1', ...quiet], {
      isReady: (output) => output.includes('Ready to accept connections'),
    })
  let server = await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    async down() {
      await server.end('SIGKILL')
    },
    async up() {
      server = await start()
    },
    async stop() {
      await server.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
