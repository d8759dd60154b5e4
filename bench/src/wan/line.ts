import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { promisify } from 'node:util'
import type { Cell } from './cells.ts'

const run = promisify(execFile)

/** Addresses of the two ends; see wan-link.c. */
export const HOST_A = '10.99.0.1'
export const HOST_B = '10.99.0.2'

interface DirectionCounters {
  readonly inBytes: number
  readonly outBytes: number
  readonly lossDrops: number
  readonly queueDrops: number
  readonly tunDrops: number
  readonly fullDrops: number
  readonly writeErrors: number
}

export interface LineCounters {
  readonly cpuSeconds: number
  /** How long the emulator itself was not run, in pauses above 20 ms. */
  readonly pausedSeconds: number
  readonly aToB: DirectionCounters
  readonly bToA: DirectionCounters
}

/** An emulated line that is up. */
export interface Line {
  readonly a: string
  readonly b: string
  counters(): Promise<LineCounters>
  down(): Promise<LineCounters>
}

/** Builds a program of this folder when it is missing or older than its source. */
export async function build(
  compiler: string,
  source: string,
  options: { out: string; flags: readonly string[] },
): Promise<string> {
  const from = join(import.meta.dirname, source)
  const [made, written] = await Promise.all([stat(options.out).catch(() => undefined), stat(from)])
  if (made === undefined || made.mtimeMs < written.mtimeMs)
    await run(compiler, ['-O2', '-o', options.out, from, ...options.flags])
  return options.out
}

/** Brings a line up. Needs root. @throws Error with what wan-link printed */
export async function raiseLine(program: string, cell: Cell, more: { name: string; seed: number }): Promise<Line> {
  await prepareKernel()
  const child = spawn(
    program,
    [
      ...['--name', more.name, '--rate', String(cell.rateMbit), '--rtt', String(cell.rttMs)],
      ...['--loss', String(cell.lossPercent), '--seed', String(more.seed)],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  if (first[0] !== 'ready') throw new Error(`wan-link did not start: ${String(first[0])}`)
  return {
    a: `${more.name}A`,
    b: `${more.name}B`,
    counters: () => askCounters(child, lines, 'SIGUSR1'),
    async down() {
      const ended = once(child, 'exit')
      const counters = await askCounters(child, lines, 'SIGTERM')
      await ended
      return counters
    },
  }
}

async function askCounters(child: ChildProcess, lines: Interface, signal: NodeJS.Signals): Promise<LineCounters> {
  const answer = once(lines, 'line')
  child.kill(signal)
  const [text] = (await answer) as [string]
  return JSON.parse(text) as LineCounters
}

/** Lets sockets hold a bandwidth-delay product and namespaces choose their congestion control, for all rivals alike. */
async function prepareKernel(): Promise<void> {
  for (const [path, value] of [
    ['/proc/sys/net/core/rmem_max', '268435456'],
    ['/proc/sys/net/core/wmem_max', '268435456'],
    ['/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'reno cubic bbr'],
  ] as const) {
    const now = (await readFile(path, 'utf8')).trim()
    if (now !== value) await writeFile(path, value)
  }
}

/** Chooses TCP's congestion control in a namespace. */
export async function setCongestion(space: string, name: 'cubic' | 'bbr'): Promise<void> {
  await run('ip', ['netns', 'exec', space, 'sysctl', '-q', '-w', `net.ipv4.tcp_congestion_control=${name}`])
}

/** Losses of the machine, not of the line; a run with any of them does not count. */
export function labFaults({ aToB, bToA }: LineCounters): number {
  return [aToB, bToA].reduce((sum, way) => sum + way.tunDrops + way.fullDrops + way.writeErrors, 0)
}
