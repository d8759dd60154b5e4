import type { Log } from './context.ts'

/** Work that a feature repeats while the server runs. */
export interface Periodic {
  /** Unique among all features: `uploads.sweep`. */
  readonly name: string
  /** From one start to the next. A run that takes longer delays the next one; two never overlap. */
  readonly everyMs: number
  /** Of several nodes, one at a time does it. */
  readonly onOneNode?: boolean
  /** @param signal aborts when the server stops, which waits for the run under way */
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

export interface ScheduleDeps {
  readonly log: Pick<Log, 'error'>
  /** Runs `work` unless another node does. Default: always. */
  readonly onOneNode?: (name: string, work: () => Promise<unknown>) => Promise<unknown>
}

export interface Schedule {
  add(periodic: Periodic): void
  start(): void
  /** Begins nothing more. Resolves when what runs has ended. */
  stop(): Promise<void>
}

/** All periodic work of the process. What fails is logged and tried again at its next time. */
export function createSchedule({ log, onOneNode = async (_name, work) => work() }: ScheduleDeps): Schedule {
  const declared = new Map<string, Periodic>()
  const timers: NodeJS.Timeout[] = []
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  async function run({ name, work, ...periodic }: Periodic): Promise<void> {
    try {
      const attempt = async () => work(stopping.signal)
      await (periodic.onOneNode === true ? onOneNode(name, attempt) : attempt())
    } catch (thrown) {
      if (!stopping.signal.aborted) log.error({ err: thrown, work: name }, 'periodic work failed')
    } finally {
      running.delete(name)
    }
  }

  return {
    add(periodic) {
      if (declared.has(periodic.name)) throw new Error(`periodic work ${periodic.name} is declared twice`)
      declared.set(periodic.name, periodic)
    },
    start() {
      for (const periodic of declared.values()) {
        const timer = setInterval(() => {
          if (!running.has(periodic.name)) running.set(periodic.name, run(periodic))
        }, periodic.everyMs)
        timer.unref()
        timers.push(timer)
      }
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort(new Error('the server stops'))
      await Promise.all(running.values())
    },
  }
}
