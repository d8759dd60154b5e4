import type { FileFailure } from '../sources/source.ts'

/** Files that failed, each with its first reason. */
export class FileFailures {
  readonly #failures = new Map<number, FileFailure>()
  readonly #onFailure: (failure: FileFailure) => void

  constructor(onFailure: (failure: FileFailure) => void) {
    this.#onFailure = onFailure
  }

  get size(): number {
    return this.#failures.size
  }

  get all(): FileFailure[] {
    return [...this.#failures.values()]
  }

  /** @returns false when the file had failed before */
  add(file: number, failure: FileFailure): boolean {
    if (this.#failures.has(file)) return false
    this.#failures.set(file, failure)
    this.#onFailure(failure)
    return true
  }
}
