import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PROGRAM = join(import.meta.dirname, '../../bin/gwt.js')
/** The Node options of the program's first line, for tests that start it directly. */
const NODE_OPTIONS = readFileSync(PROGRAM, 'utf8').split('\n', 1)[0]?.split(' ').slice(3) ?? []

/** The default code of programs in tests. */
export const TEST_CODE = 'code-of-the-tests'

export interface Event {
  readonly event: string
  readonly [key: string]: unknown
}

/** A running gwt with its JSON events. For tests that need real processes: to kill them, or to put them into a namespace. */
export class GwtProgram {
  readonly child: ChildProcess
  readonly events: Event[] = []
  readonly #changed = new EventTarget()
  #ended = false

  /**
   * @param prefix a command line to run it under, such as `ip netns exec NAME`
   * @param code shared by both sides; '' for none
   */
  constructor(
    words: readonly string[],
    { prefix = [], code = TEST_CODE }: { prefix?: readonly string[]; code?: string } = {},
  ) {
    const [command, ...rest] = [...prefix, process.execPath, ...NODE_OPTIONS, PROGRAM, ...words, '--json']
    const env = { ...process.env, ...(code === '' ? {} : { GWT_CODE: code }) }
    const child = spawn(command ?? process.execPath, rest, { stdio: ['ignore', 'pipe', 'inherit'], env })
    this.child = child
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.events.push(JSON.parse(line) as Event)
      this.#changed.dispatchEvent(new globalThis.Event('change'))
    })
    child.on('close', () => {
      this.#ended = true
      this.#changed.dispatchEvent(new globalThis.Event('change'))
    })
  }

  /** The first event that fits, also one that came before. @throws Error when the program ends without it */
  async until(fits: (event: Event) => boolean): Promise<Event> {
    for (;;) {
      const found = this.events.find(fits)
      if (found !== undefined) return found
      if (this.#ended) throw new Error(`gwt ended: ${JSON.stringify(this.events.slice(-3))}`)
      await once(this.#changed, 'change')
    }
  }

  named(name: string): Promise<Event> {
    return this.until(({ event }) => event === name)
  }

  /** The newest number under `key` of the progress events. */
  progress(key: string): number {
    const last = this.events.findLast(({ event }) => event === 'progress')
    return Number(last?.[key] ?? 0)
  }

  /** Its exit code, once it has ended by itself. */
  async exitCode(): Promise<number | null> {
    while (!this.#ended) await once(this.#changed, 'change')
    return this.child.exitCode
  }

  get isRunning(): boolean {
    return !this.#ended
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#ended) return
    const closed = once(this.child, 'close')
    this.child.kill(signal)
    await closed
  }
}
