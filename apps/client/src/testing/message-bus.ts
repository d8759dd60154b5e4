import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A program whose lines are waited for. */
export class Lines implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #lines: string[] = []
  readonly #changed = new EventTarget()
  #ended = false

  constructor([program, ...words]: readonly [string, ...string[]], environment: NodeJS.ProcessEnv = process.env) {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'], env: environment })
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

async function startMock(file: string, address: string): Promise<Lines> {
  const mock = new Lines(['/usr/bin/python3', join(import.meta.dirname, file), address])
  if ((await mock.next()) !== 'ready') throw new Error(`${file} does not start`)
  return mock
}
