import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** A program whose lines are waited for. */
export class Lines implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: string[] = []
  readonly #changed = new EventTarget()
  #ended = false

  constructor([program, ...words]: readonly [string, ...string[]], environment: NodeJS.ProcessEnv = process.env) {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], env: environment })
    this.#child = child
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#lines.push(line)
      this.#changed.dispatchEvent(new Event('change'))
    })
    child.on('close', () => {
      this.#ended = true
      this.#changed.dispatchEvent(new Event('change'))
    })
  }

  /** The next line. @throws Error when the program has ended */
  async next(): Promise<string> {
    for (;;) {
      const line = this.#lines.shift()
      if (line !== undefined) return line
      if (this.#ended) throw new Error('the program has ended')
      await once(this.#changed, 'change')
    }
  }

  /** To its standard input. */
  write(line: string): void {
    this.#child.stdin.write(`${line}\n`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended) return
    const closed = once(this.#child, 'close')
    this.#child.kill('SIGTERM')
    await closed
  }
}

/** A real message bus of its own. */
export async function startBus(): Promise<{ readonly address: string } & AsyncDisposable> {
  const daemon = new Lines(['dbus-daemon', '--session', '--nofork', '--print-address'])
  const address = await daemon.next()
  return { address, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() }
}

/** Hands out inhibitor locks on the bus, and prints what becomes of them. */
export function startLogind(address: string): Promise<Lines> {
  return startMock('mock-logind.py', address)
}

/** Stands for the panel of a desktop, and prints which items register and what they report. */
export function startWatcher(address: string): Promise<Lines> {
  return startMock('mock-watcher.py', address)
}

/** Stands for what shows notifications on a desktop, and prints them. `press ID KEY` and `close ID` do what a person would. */
export function startNotifications(address: string, ...capabilities: readonly string[]): Promise<Lines> {
  return startMock('mock-notifications.py', address, ...capabilities)
}

async function startMock(file: string, ...words: readonly string[]): Promise<Lines> {
  const mock = new Lines(['/usr/bin/python3', join(import.meta.dirname, file), ...words])
  if ((await mock.next()) !== 'ready') throw new Error(`${file} does not start`)
  return mock
}
