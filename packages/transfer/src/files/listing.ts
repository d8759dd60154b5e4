import type { FileFailure, SourceItem } from '../sources/source.ts'
import { scan, type ScanFs, type ScanOptions } from './scan.ts'

/** Files listed at once: a few milliseconds, between which the thread serves reads. */
const ITEMS_AT_ONCE = 1024

/** A part of a listing. */
export interface Listed {
  readonly items: readonly SourceItem[]
  readonly skipped: readonly FileFailure[]
  readonly isEnd: boolean
}

/** A listing that is fetched part by part. */
export class Listing {
  readonly #scan: Generator<SourceItem, undefined>
  #skipped: FileFailure[] = []

  constructor(fs: ScanFs, options: ScanOptions) {
    this.#scan = scan(fs, options, (skipped) => this.#skipped.push(skipped))
  }

  next(): Listed {
    const items: SourceItem[] = []
    let step = this.#scan.next()
    while (step.done !== true) {
      items.push(step.value)
      if (items.length === ITEMS_AT_ONCE) break
      step = this.#scan.next()
    }
    const skipped = this.#skipped
    this.#skipped = []
    return { items, skipped, isEnd: step.done === true }
  }
}
