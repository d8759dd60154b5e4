import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiB } from '@godwit/base'
import { createConnection } from 'mysql2/promise'
import { freePort } from './free-port.ts'
import { launch, run, type Program } from './program.ts'

/** A MariaDB of the test's own, on a free port, with data that goes away with it. */
export interface Mariadb {
  /** Makes an empty database. @returns its address, `mysql://user@host:port/name` */
  database(name: string): Promise<string>
  readonly pid: number
  /** Ends the server and keeps its data. SIGTERM lets it close its connections. */
  down(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Starts it again on the same port. */
  up(): Promise<void>
  stop(): Promise<void>
}

export async function launchMariadb(): Promise<Mariadb> {
  const folder = await mkdtemp(join(await quickFolder(), 'godwit-mariadb-'))
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  // A starting MariaDB deletes the temporary tables in its temporary folder, even those of another running server.
  const place = [`--datadir=${join(folder, 'data')}`, `--tmpdir=${folder}`, ...user]
  const account = ['--auth-root-authentication-method=normal', '--skip-test-db']
  await run(['mariadb-install-db', '--no-defaults', ...place, ...account])
  const start = (): Promise<Program> =>
    launch(
      [
        'mariadbd',
        '--no-defaults',
        ...place,
        `--socket=${join(folder, 'socket')}`,
        `--pid-file=${join(folder, 'pid')}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        '--innodb-buffer-pool-size=128M',
        '--innodb-log-file-size=16M',
        '--character-set-server=utf8mb4',
      ],
      { isReady: (output) => output.includes('ready for connections') },
    )
  let server = await start()
  return {
    get pid() {
      return server.pid
    },
    database: (name) => createDatabase(port, name),
    async down(signal) {
      await server.end(signal)
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

/** Memory where there is plenty: every new table waits for the disk several times, and tests make thousands. */
async function quickFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs('/dev/shm')
    return bavail * bsize >= 4 * GiB ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir() // There is none on this system.
  }
}

async function createDatabase(port: number, name: string): Promise<string> {
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' })
  try {
    await connection.query('CREATE DATABASE ??', [name])
  } finally {
    await connection.end()
  }
  return `mysql://root@127.0.0.1:${port}/${name}`
}
