import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cell } from './cells.ts'
import { GWT } from './gwt-program.ts'
import { HOST_A, HOST_B, type Line, setCongestion } from './line.ts'

/** What a method works with. The source lies at end A, the copy is made at end B. */
export interface Arena {
  readonly line: Line
  readonly cell: Cell
  /** Folder and name of the source. */
  readonly sourceFolder: string
  readonly sourceName: string
  readonly bytes: number
  readonly target: string
  /** Scratch folder for configuration. */
  readonly scratch: string
  readonly udtProgram: string | undefined
}

/** One way to copy the file. `run` begins with everything listening and settles when the copying side says it is done. */
export interface Method {
  readonly name: string
  prepare(arena: Arena): Promise<Prepared>
}

export interface Prepared {
  /** Process ids whose CPU and memory count, listeners included. */
  readonly pids: readonly number[]
  start(): ChildProcess[]
  /** Files at B that make up the copy, in order. */
  copies(): string[] | Promise<string[]>
  stop(): Promise<void>
}

const PORT = 32001

export const PLAIN_METHODS: readonly Method[] = [
  gwt('gwt', []),
  gwt('gwt-portable', ['--udp', 'portable']),
  gwt('gwt-tcp', ['--udp', 'off']),
  http('tcp-cubic', 'cubic', 1),
  http('tcp-bbr', 'bbr', 1),
  http('tcp-cubic-8', 'cubic', 8),
  http('tcp-bbr-8', 'bbr', 8),
  http3('http3-cubic', 'cubic'),
  http3('http3-bbr2', 'bbr2'),
  { name: 'rsync', prepare: prepareRsync },
  { name: 'udt', prepare: prepareUdt },
  { name: 'uftp', prepare: prepareUftp },
]

export function inside(space: string, command: readonly string[]): ChildProcess {
  return spawn('ip', ['netns', 'exec', space, ...command], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('a process did not start')
  return child.pid
}

export async function end(children: readonly ChildProcess[]): Promise<void> {
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null)
  const gone = running.map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGTERM')
  const hard = setTimeout(() => running.forEach((child) => child.kill('SIGKILL')), 3000)
  await Promise.all(gone)
  clearTimeout(hard)
}

function gwt(name: string, options: readonly string[]): Method {
  return {
    name,
    async prepare({ line, sourceFolder, sourceName, target }) {
      const port = ['--json', ...options]
      const server = inside(line.b, [...GWT, 'recv', target, '--port', String(PORT), ...port])
      await sleep(1500)
      const copy = join(target, sourceName)
      return {
        pids: [pidOf(server)],
        start: () => [inside(line.a, [...GWT, 'send', join(sourceFolder, sourceName), `${HOST_B}:${PORT}`, ...port])],
        copies: () => [copy],
        stop: () => end([server]),
      }
    },
  }
}

/** nginx with sendfile at A, curl at B: the plainest fast TCP copy there is; several streams fetch ranges side by side. */
function http(name: string, congestion: 'cubic' | 'bbr', streams: number): Method {
  return {
    name,
    async prepare({ line, sourceFolder, sourceName, bytes, target, scratch }) {
      await setCongestion(line.a, congestion)
      const server = startNginx(line.a, sourceFolder, scratch)
      await sleep(500)
      const parts = Array.from({ length: streams }, (_value, index) => join(target, `part${index}`))
      const edge = (index: number): number => Math.floor((bytes * index) / streams)
      return {
        pids: [pidOf(server)],
        start: () =>
          parts.map((part, index) =>
            inside(line.b, [
              ...['curl', '-s', '-o', part, '-r', `${edge(index)}-${edge(index + 1) - 1}`],
              `http://${HOST_A}:8080/${sourceName}`,
            ]),
          ),
        copies: () => parts,
        stop: () => end([server]),
      }
    },
  }
}

function startNginx(space: string, root: string, scratch: string): ChildProcess {
  const file = join(scratch, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${scratch}/nginx.pid; error_log ${scratch}/nginx.log;
events { worker_connections 64; }
http { access_log off; sendfile on; tcp_nopush on; client_body_temp_path ${scratch}/body; proxy_temp_path ${scratch}/proxy;
fastcgi_temp_path ${scratch}/fastcgi; uwsgi_temp_path ${scratch}/uwsgi; scgi_temp_path ${scratch}/scgi;
server { listen ${HOST_A}:8080; root ${root}; } }`,
  )
  return inside(space, ['nginx', '-c', file])
}

/** The server and client of ngtcp2 (GnuTLS): HTTP/3 as Debian has it. Windows as wide as those of TCP here. */
function http3(name: string, congestion: 'cubic' | 'bbr2'): Method {
  return {
    name,
    async prepare({ line, sourceFolder, sourceName, target, scratch }) {
      const [key, certificate] = [join(scratch, 'h3.key'), join(scratch, 'h3.pem')]
      await once(selfSigned(key, certificate), 'exit')
      const options = ['-q', `--cc=${congestion}`, '--max-window=256M', '--max-stream-window=256M']
      const server = inside(line.a, [
        ...['gtlsserver', ...options, `--htdocs=${sourceFolder}`],
        ...[HOST_A, '8443', key, certificate],
      ])
      await sleep(500)
      const windows = ['--max-data=64M', '--max-stream-data-bidi-local=64M', '--exit-on-all-streams-close']
      const address = `https://${HOST_A}:8443/${sourceName}`
      return {
        pids: [pidOf(server)],
        start: () => [
          inside(line.b, ['gtlsclient', ...options, ...windows, `--download=${target}`, HOST_A, '8443', address]),
        ],
        copies: () => [join(target, sourceName)],
        stop: () => end([server]),
      }
    },
  }
}

function selfSigned(key: string, certificate: string): ChildProcess {
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  return spawn('openssl', [...words, '-subj', '/CN=bench', '-keyout', key, '-out', certificate], { stdio: 'ignore' })
}

async function prepareRsync({ line, sourceFolder, sourceName, target, scratch }: Arena): Promise<Prepared> {
  await setCongestion(line.a, 'cubic')
  const file = join(scratch, 'rsyncd.conf')
  writeFileSync(file, `use chroot = no\n[data]\npath = ${target}\nread only = no\nuid = 0\ngid = 0\n`)
  const server = inside(line.b, ['rsync', '--daemon', '--no-detach', `--config=${file}`, `--address=${HOST_B}`])
  await sleep(500)
  return {
    pids: [pidOf(server)],
    start: () => [
      inside(line.a, ['rsync', '--inplace', '--whole-file', join(sourceFolder, sourceName), `rsync://${HOST_B}/data/`]),
    ],
    copies: () => [join(target, sourceName)],
    stop: () => end([server]),
  }
}

async function prepareUdt({ line, sourceFolder, sourceName, target, udtProgram }: Arena): Promise<Prepared> {
  if (udtProgram === undefined) throw new Error('udt-copy was not built (libudt-dev)')
  const copy = join(target, sourceName)
  const server = inside(line.b, [udtProgram, 'recv', '9000', copy])
  await sleep(300)
  return {
    pids: [pidOf(server)],
    start: () => [inside(line.a, [udtProgram, 'send', HOST_B, '9000', join(sourceFolder, sourceName)])],
    copies: () => [copy],
    stop: () => end([server]),
  }
}

/** At 95 % of the line's rate: uftp has no rate control, so it is the only one that gets the rate. */
async function prepareUftp({ line, cell, sourceFolder, sourceName, target, scratch }: Arena): Promise<Prepared> {
  const server = inside(line.b, [
    'uftpd',
    '-d',
    '-D',
    target,
    '-B',
    '8388608',
    '-I',
    'wan0',
    '-L',
    join(scratch, 'uftpd.log'),
  ])
  await sleep(500)
  const rate = String(Math.floor(cell.rateMbit * 950))
  return {
    pids: [pidOf(server)],
    start: () => [
      inside(line.a, [
        ...[
          'uftp',
          '-q',
          '-I',
          'wan0',
          '-R',
          rate,
          '-b',
          '1400',
          '-B',
          '8388608',
          '-M',
          HOST_B,
          '-a',
          '100',
          '-N',
          '100',
        ],
        join(sourceFolder, sourceName),
      ]),
    ],
    copies: () => findFiles(target),
    stop: () => end([server]),
  }
}

/** The target folder as it is before each run. */
export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

/** Bytes on disk below a folder. Sparse files count what is written, not what is reserved. */
export function allocatedBytes(folder: string): number {
  return findFiles(folder).reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512,
    0,
  )
}

function findFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
