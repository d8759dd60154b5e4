import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PROGRAM = join(import.meta.dirname, '../../bin/godwit-client.ts')

interface Reported {
  readonly event: string
  readonly [key: string]: unknown
}

/** A running godwit-client with its JSON events. */
export class ClientProgram {
  readonly events: Reported[] = []
  readonly #child: ChildProcess
  readonly #changed = new EventTarget()
  #ended = false

  constructor(words: readonly string[], environment: Readonly<Record<string, string>>) {
    const env = { ...process.env, ...environment }
    const child = spawn(process.execPath, [PROGRAM, ...words, '--json'], { stdio: ['ignore', 'pipe', 'inherit'], env })
    this.#child = child
    const changed = (): boolean => this.#changed.dispatchEvent(new Event('change'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.events.push(JSON.parse(line) as Reported)
      changed()
    })
    child.on('close', () => {
      this.#ended = true
      changed()
    })
  }

  get isRunning(): boolean {
    return !this.#ended
  }

  /** The newest number under `key` of the progress events. */
  progress(key: string): number {
    return Number(this.events.findLast(({ event }) => event === 'progress')?.[key] ?? 0)
  }

  /** File bytes that its connections moved together. */
  get movedBytes(): number {
    let sum = 0
    let last = 0
    for (const { event, bytesMoved } of this.events) {
      if (event !== 'progress') continue
      // A new connection counts anew.
      if (Number(bytesMoved) < last) sum += last
      last = Number(bytesMoved)
    }
    return sum + last
  }

  /** Resolves when it is so, or when the program has ended. */
  async until(isSo: () => boolean): Promise<void> {
    while (!this.#ended && !isSo()) await once(this.#changed, 'change')
  }

  /** Its exit code, once it has ended by itself. */
  async exitCode(): Promise<number | null> {
    await this.until(() => false)
    return this.#child.exitCode
  }

  /** Asks it to end, as the computer does when it shuts down. */
  async end(): Promise<void> {
    if (this.#ended) return
    this.#child.kill('SIGTERM')
    await this.until(() => false)
  }

  async kill(): Promise<void> {
    if (this.#ended) return
    this.#child.kill('SIGKILL')
    await this.until(() => false)
  }
}
