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
  /** When each event came, by the monotonic clock. */
  readonly #times: number[] = []
  readonly #child: ChildProcess
  readonly #changed = new EventTarget()
  #ended = false

  /** @param before the start of the command line, such as `ip netns exec NAME` */
  constructor(words: readonly string[], environment: Readonly<Record<string, string>>, before: readonly string[] = []) {
    const env = { ...process.env, ...environment }
    const [command = process.execPath, ...rest] = [...before, process.execPath, PROGRAM, '--json', ...words]
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], env })
    this.#child = child
    const changed = (): boolean => this.#changed.dispatchEvent(new Event('change'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.events.push(JSON.parse(line) as Reported)
      this.#times.push(performance.now())
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

  /** The longest time for which the number under `key` of the progress events did not grow, up to now, milliseconds. */
  longestStandstill(key: string, sinceMs: number): number {
    let [grownAt, value, longest] = [sinceMs, 0, 0]
    for (const [index, { event, ...facts }] of this.events.entries()) {
      const at = this.#times[index] ?? 0
      if (event !== 'progress' || Number(facts[key]) <= value) continue
      value = Number(facts[key])
      if (at <= sinceMs) continue
      longest = Math.max(longest, at - grownAt)
      grownAt = at
    }
    return longest
  }

  get pid(): number {
    return this.#child.pid ?? 0
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

  /** Stops it where it is, as a computer that falls asleep does. */
  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  wake(): void {
    this.#child.kill('SIGCONT')
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
