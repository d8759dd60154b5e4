import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isSea } from 'node:sea'
import { secureRandom, systemClock } from '@godwit/base'
import { newCode } from '../codes/shared-code.ts'
import { EXIT, numberOf, sizeOf, type BenchValues } from './arguments.ts'
import type { Output } from './output.ts'
import { SMALL_FILE_BYTES, writeDurably, writeSmallFiles } from './small-files.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/gwt.js')
/** What comes before the words: nothing for the program of one file, which is its own. */
const START = isSea() ? [] : [...process.execArgv, PROGRAM]
const BACKENDS = ['batched', 'portable', 'off'] as const
const MEBIBYTE = 1024 * 1024

/** gwt bench: from this machine to itself, hashed and written to disk as always. */
export function bench(values: BenchValues, output: Output): Promise<number> {
  if (values.files === undefined) return benchSize(values, output)
  return benchFiles(numberOf('files', values.files, { min: 1, max: 10_000_000 }), output)
}

/** Many small files, and for comparison the same number written by the disk alone. */
async function benchFiles(files: number, output: Output): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gwt-bench-'))
  try {
    const source = join(folder, 'source')
    writeSmallFiles(source, files)
    const run = await runOnce({ source, target: join(folder, 'copy'), backend: 'auto' })
    const disk = await writeDurably(join(folder, 'disk'), files)
    const rates = { filesPerSecond: files / (run?.seconds ?? Infinity), diskFilesPerSecond: files / disk }
    const text =
      run === undefined
        ? 'does not work here'
        : `${files} files of ${SMALL_FILE_BYTES} bytes: ${rates.filesPerSecond.toFixed(0)} files/s, the disk alone ` +
          `${rates.diskFilesPerSecond.toFixed(0)}; ${run.cpuSeconds.toFixed(1)} CPU seconds, receiver ${run.receiverMiB.toFixed(0)} MiB`
    output.emit('bench-files', { files, ...run, ...rates }, text)
    return run === undefined ? EXIT.partial : EXIT.done
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file, once over each backend. */
async function benchSize(values: BenchValues, output: Output): Promise<number> {
  const bytes = sizeOf('size', values.size ?? '500M')
  const folder = mkdtempSync(join(tmpdir(), 'gwt-bench-'))
  try {
    const source = join(folder, 'source')
    writeRandom(source, bytes)
    let failures = 0
    for (const backend of BACKENDS) {
      const run = await runOnce({ source, target: join(folder, backend), backend })
      if (run === undefined) failures++
      output.emit('bench', { backend, bytes, ...run }, describe(backend, bytes, run))
    }
    return failures === 0 ? EXIT.done : EXIT.partial
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Run {
  readonly seconds: number
  /** Both ends together, start-up of two processes included. */
  readonly cpuSeconds: number
  /** The largest resident set of the receiver. */
  readonly receiverMiB: number
}

function describe(backend: string, bytes: number, run: Run | undefined): string {
  const name = backend === 'off' ? 'TCP' : `UDP ${backend}`
  if (run === undefined) return `${name}: does not work here`
  const gigabits = (bytes * 8) / 1e9
  return `${name}: ${((gigabits * 1000) / run.seconds).toFixed(0)} Mbit/s, ${(run.cpuSeconds / gigabits).toFixed(2)} CPU seconds per Gbit`
}

async function runOnce(job: { source: string; target: string; backend: string }): Promise<Run | undefined> {
  const code = newCode()
  const link = ['--udp', job.backend, '--json']
  const receiver = start(['recv', job.target, '--port', '0', '--host', '127.0.0.1', '--once', ...link], code)
  let sender: Program | undefined
  try {
    const listening = await receiver.event('listening')
    if (typeof listening?.port !== 'number') return undefined
    const startedAt = systemClock.monotonic()
    sender = start(['send', job.source, `127.0.0.1:${listening.port}`, ...link], code)
    endTogether(sender, receiver)
    const [sent, received] = await Promise.all([sender.event('stats'), receiver.event('stats')])
    const done = await sender.event('done')
    const seconds = (systemClock.monotonic() - startedAt) / 1000
    if (done === undefined) return undefined
    return {
      seconds,
      cpuSeconds: Number(sent?.['cpuSeconds']) + Number(received?.['cpuSeconds']),
      receiverMiB: Number(received?.['peakMemoryBytes']) / MEBIBYTE,
    }
  } finally {
    sender?.stop()
    receiver.stop()
  }
}

/** Each waits for an end that went away, because that may come back: here nobody starts it again. */
function endTogether(sender: Program, receiver: Program): void {
  void sender.event('done').then((done) => done ?? receiver.stop())
  void receiver.event('stats').then((stats) => stats ?? sender.stop())
}

interface Program {
  /** The first event of a name, also one that came before; undefined when the program ended without it. */
  event(name: string): Promise<Record<string, unknown> | undefined>
  stop(): void
}

function start(words: readonly string[], code: string): Program {
  const child = spawn(process.execPath, [...START, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GWT_CODE: code },
  })
  const events: Array<Record<string, unknown>> = []
  let hasEnded = false
  const arrivals = new EventTarget()
  const arrive = (): boolean => arrivals.dispatchEvent(new Event('arrival'))
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      events.push(JSON.parse(line) as Record<string, unknown>)
      arrive()
    })
    .on('close', () => {
      hasEnded = true
      arrive()
    })
  return {
    async event(name) {
      for (;;) {
        const found = events.find((one) => one['event'] === name)
        if (found !== undefined || hasEnded) return found
        await once(arrivals, 'arrival')
      }
    },
    stop: () => child.kill('SIGKILL'),
  }
}

function writeRandom(path: string, bytes: number): void {
  const block = secureRandom.fill(new Uint8Array(MEBIBYTE))
  writeFileSync(path, '')
  for (let at = 0; at < bytes; at += MEBIBYTE) {
    writeFileSync(path, block.subarray(0, Math.min(MEBIBYTE, bytes - at)), { flag: 'a' })
  }
}
