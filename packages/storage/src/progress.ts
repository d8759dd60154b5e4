import type { LongOptions, TreeProgress } from './object-store.ts'

/** Counts what a long operation has done. */
export class Progress {
  #files = 0
  #folders = 0
  #bytes = 0
  readonly #options: LongOptions

  constructor(options: LongOptions) {
    this.#options = options
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal
  }

  get done(): TreeProgress {
    return { files: this.#files, folders: this.#folders, bytes: this.#bytes }
  }

  /** Counts and reports; stops the operation when it was cancelled. */
  add(step: Partial<TreeProgress>): void {
    this.#files += step.files ?? 0
    this.#folders += step.folders ?? 0
    this.#bytes += step.bytes ?? 0
    this.#options.onProgress?.(this.done)
    this.#options.signal?.throwIfAborted()
  }
}
