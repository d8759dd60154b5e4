import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundleProgram } from '../../../scripts/packaging/bundle.ts'
import { HOST_A, HOST_B } from './line.ts'
import { type Arena, end, inside, type Method, pidOf, type Prepared } from './methods.ts'

/** The product: its server at one end, its desktop client or Chromium at the other. */

const ROOT = join(import.meta.dirname, '../../..')
const SERVER = join(ROOT, 'apps/server/bin/godwit.js')
const PORT = 8090
const START_MS = 30_000

const ADMINISTRATOR = { account: 'bench', password: 'Longest-flight-7' }

/** The options of their own first lines. */
const SERVER_FLAGS = ['--max-semi-space-size=2', '--single-threaded-gc']
const CLIENT_FLAGS = ['--max-semi-space-size=4', '--single-threaded-gc']

export const GODWIT_METHODS: readonly Method[] = [
  { name: 'godwit-client', prepare: (arena) => prepareUpload(arena, signedInClient) },
  { name: 'godwit-client-down', prepare: prepareDownload },
  { name: 'godwit-client-s3', prepare: prepareBucketUpload },
  { name: 'godwit-client-s3-down', prepare: prepareBucketDownload },
  { name: 'godwit-web', prepare: (arena) => prepareUpload(arena, chromium) },
]

export interface Site {
  readonly url: string
  readonly server: ChildProcess
  /** Where the files of the account are on the disk of the server. */
  readonly home: string
}

/** @returns the start of the words that send a file to a folder of the server */
type Sender = (arena: Arena, space: string, site: Site) => Promise<(path: string) => readonly string[]>

async function prepareUpload(arena: Arena, sender: Sender): Promise<Prepared> {
  const { line, sourceFolder, sourceName, target } = arena
  const site = await startServer(line.b, HOST_B, target)
  const wordsFor = await sender(arena, line.a, site)
  return {
    pids: [pidOf(site.server)],
    start: () => [inside(line.a, wordsFor(join(sourceFolder, sourceName)))],
    copies: () => [join(site.home, sourceName)],
    stop: () => end([site.server]),
  }
}

async function prepareDownload(arena: Arena): Promise<Prepared> {
  const { line, sourceFolder, sourceName, target, scratch } = arena
  const site = await startServer(line.a, HOST_A, join(scratch, 'data'))
  mkdirSync(site.home, { recursive: true })
  copyFileSync(join(sourceFolder, sourceName), join(site.home, sourceName))
  const client = await signIn(arena, line.b, site)
  return {
    pids: [pidOf(site.server)],
    start: () => [inside(line.b, [...client, 'down', `/${sourceName}`, target])],
    copies: () => [join(target, sourceName)],
    stop: () => end([site.server]),
  }
}

/** The server keeps its files in a bucket at its own end of the line. */
async function prepareBucketUpload(arena: Arena): Promise<Prepared> {
  const { line, sourceFolder, sourceName, scratch } = arena
  const data = join(scratch, 'data')
  const bucket = await Bucket.open(line.b, data)
  const site = await startServer(line.b, HOST_B, data)
  const client = await signIn(arena, line.a, site)
  return {
    pids: [pidOf(site.server)],
    start: () => [inside(line.a, [...client, 'up', join(sourceFolder, sourceName), '/'])],
    async copies() {
      const copy = join(scratch, 'copy')
      await bucket.fetch(`files/users/${ADMINISTRATOR.account}/${sourceName}`, copy)
      return [copy]
    },
    async stop() {
      await end([site.server])
      await bucket.close()
    },
  }
}

async function prepareBucketDownload(arena: Arena): Promise<Prepared> {
  const { line, sourceFolder, sourceName, target, scratch } = arena
  const data = join(scratch, 'data')
  const bucket = await Bucket.open(line.a, data)
  const site = await startServer(line.a, HOST_A, data)
  const client = await signIn(arena, line.b, site)
  // It has to be there before; how long that takes does not count.
  const isThere = await exitCodeOf(inside(line.b, [...client, 'up', join(sourceFolder, sourceName), '/']))
  if (isThere !== 0) throw new Error('the file did not come into the bucket')
  return {
    pids: [pidOf(site.server)],
    start: () => [inside(line.b, [...client, 'down', `/${sourceName}`, target])],
    copies: () => [join(target, sourceName)],
    async stop() {
      await end([site.server])
      await bucket.close()
    },
  }
}

/** See bucket.ts. */
class Bucket {
  readonly #child: ChildProcess
  readonly #lines: Interface

  static async open(space: string, data: string): Promise<Bucket> {
    const program = join(import.meta.dirname, 'bucket.ts')
    const words = ['netns', 'exec', space, process.execPath, program, data]
    const child = spawn('ip', words, { stdio: ['pipe', 'pipe', 'inherit'] })
    const bucket = new Bucket(child, createInterface({ input: child.stdout }))
    await bucket.#answer('ready')
    return bucket
  }

  private constructor(child: ChildProcess, lines: Interface) {
    this.#child = child
    this.#lines = lines
  }

  async fetch(path: string, copy: string): Promise<void> {
    this.#child.stdin?.write(`${path} ${copy}\n`)
    await this.#answer('copied')
  }

  async #answer(wanted: string): Promise<void> {
    const [line] = (await Promise.race([once(this.#lines, 'line'), once(this.#child, 'exit')])) as [unknown]
    if (line !== wanted) throw new Error(`the bucket says: ${String(line)}`)
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await ended
  }
}

export async function startServer(space: string, host: string, data: string): Promise<Site> {
  const variables = {
    GODWIT_DATA: data,
    GODWIT_HOST: host,
    GODWIT_PORT: String(PORT),
    GODWIT_ADMIN_ACCOUNT: ADMINISTRATOR.account,
    GODWIT_ADMIN_PASSWORD: ADMINISTRATOR.password,
  }
  const server = inside(space, [...withEnvironment(variables), process.execPath, ...SERVER_FLAGS, SERVER, 'serve'])
  const home = join(data, 'files/users', ADMINISTRATOR.account)
  const url = `http://${host}:${PORT}`
  const until = performance.now() + START_MS
  while ((await exitCodeOf(inside(space, ['curl', '-sf', '-o', '/dev/null', `${url}/readyz`]))) !== 0) {
    if (performance.now() > until) throw new Error('the server did not start')
    await sleep(200)
  }
  return { url, server, home }
}

const signedInClient: Sender = async (arena, space, site) => {
  const client = await signIn(arena, space, site)
  return (path) => [...client, 'up', path, '/']
}

const chromium: Sender = (arena, _space, { url }) => {
  const password = join(arena.scratch, 'password')
  writeFileSync(password, ADMINISTRATOR.password)
  const program = join(import.meta.dirname, 'web-upload.ts')
  return Promise.resolve((path) => [process.execPath, program, url, ADMINISTRATOR.account, password, path])
}

/** @returns the beginning of each call of the client */
async function signIn({ scratch }: Arena, space: string, { url }: Site): Promise<readonly string[]> {
  const [password, token] = [join(scratch, 'password'), join(scratch, 'token')]
  writeFileSync(password, ADMINISTRATOR.password)
  const program = join(import.meta.dirname, 'client-token.ts')
  const made = await exitCodeOf(inside(space, [process.execPath, program, url, ADMINISTRATOR.account, password, token]))
  if (made !== 0 || !existsSync(token)) throw new Error('no token was made for the client')
  const variables = { GODWIT_CLIENT_HOME: join(scratch, 'client') }
  const client = [...withEnvironment(variables), process.execPath, ...CLIENT_FLAGS, await packedClient(scratch)]
  const isIn = await exitCodeOf(inside(space, [...client, 'login', url, '--token-file', token]))
  if (isIn !== 0) throw new Error('the client could not sign in')
  // A client in use knows the transfer port of its server, and what Node has compiled is kept.
  const first = join(scratch, 'first')
  writeFileSync(first, 'the first file of this computer')
  if ((await exitCodeOf(inside(space, [...client, 'up', first, '/']))) !== 0)
    throw new Error('the client could not send')
  return client
}

/** The program as its packages have it. From its sources it takes half a second longer to begin. */
async function packedClient(scratch: string): Promise<string> {
  const folder = join(scratch, 'program')
  mkdirSync(folder)
  await bundleProgram('godwit-client', folder)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'godwit-client.js')
}

function withEnvironment(variables: Readonly<Record<string, string>>): string[] {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  return ['env', `PATH=${path}`, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)]
}

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}
