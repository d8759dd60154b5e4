import { foldName } from '../access/index.ts'

/** A set of names that finds those alike in one step, however many there are. */
export class FoldedNames {
  readonly #alike = new Map<string, Set<string>>()

  get isEmpty(): boolean {
    return this.#alike.size === 0
  }

  add(name: string): void {
    const folded = foldName(name)
    const alike = this.#alike.get(folded) ?? new Set<string>()
    this.#alike.set(folded, alike.add(name))
  }

  delete(name: string): void {
    const folded = foldName(name)
    const alike = this.#alike.get(folded)
    alike?.delete(name)
    if (alike?.size === 0) this.#alike.delete(folded)
  }

  /** The names that such a disk would take for `name`, itself among them when it is in the set. */
  alike(name: string): ReadonlySet<string> {
    return this.#alike.get(foldName(name)) ?? NONE
  }
}

const NONE: ReadonlySet<string> = new Set()
