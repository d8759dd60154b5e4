import { once } from 'node:events'

/** How fast a transfer is right now, and why not faster. */
export interface LiveFigures {
  readonly bytes: number
  readonly bytesDone: number
  readonly bytesPerSecond: number
  readonly path: 'udp' | 'tcp'
  /** As the engine names it; '' while nobody knows. */
  readonly bottleneck: string
}

/** The transfers that run: their figures, and the switch of each. */
export class LiveItems {
  readonly #running = new Map<number, { readonly stop: AbortController; figures: LiveFigures | undefined }>()
  readonly #changes = new EventTarget()
  readonly #counted: (count: number) => void

  /** @param counted called with how many run, whenever that changes */
  constructor(counted: (count: number) => void) {
    this.#counted = counted
  }

  /** @returns what stops this one alone */
  begin(id: number): AbortSignal {
    const stop = new AbortController()
    this.#running.set(id, { stop, figures: undefined })
    this.#counted(this.#running.size)
    return stop.signal
  }

  /** @param figures undefined while it has no connection */
  note(id: number, figures: LiveFigures | undefined): void {
    const item = this.#running.get(id)
    if (item !== undefined) item.figures = figures
  }

  end(id: number): void {
    this.#running.delete(id)
    this.#counted(this.#running.size)
    this.wake()
  }

  figuresOf(id: number): LiveFigures | undefined {
    return this.#running.get(id)?.figures
  }

  get ids(): readonly number[] {
    return [...this.#running.keys()]
  }

  stop(id: number): void {
    this.#running.get(id)?.stop.abort()
  }

  stopAll(): void {
    for (const { stop } of this.#running.values()) stop.abort()
  }

  /** The queue is to be looked at now. */
  wake(): void {
    this.#changes.dispatchEvent(new Event('change'))
  }

  /** Resolves when something changed, when the time is over, or when it is stopped. */
  async changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    await once(this.#changes, 'change', { signal: either }).catch((thrown: unknown) => {
      if (!either.aborted) throw thrown
    })
  }
}
