import { FoldedNames } from './folded-names.ts'
import type { Change } from './merge-changes.ts'

/** Our own changes to a folder since its index was made: the last one of each name. */
export class PendingChanges {
  readonly #byName = new Map<string, Change>()
  readonly #there = new FoldedNames()

  get size(): number {
    return this.#byName.size
  }

  get byName(): ReadonlyMap<string, Change> {
    return this.#byName
  }

  note(name: string, what: Change): void {
    this.#byName.delete(name)
    this.#byName.set(name, what)
    if (what === 'gone') this.#there.delete(name)
    else this.#there.add(name)
  }

  isGone(name: string): boolean {
    return this.#byName.get(name) === 'gone'
  }

  /** A name that came since and differs from `name` only in case or in the form of its accents. */
  twinOf(name: string): string | undefined {
    for (const other of this.#there.alike(name)) if (other !== name) return other
    return undefined
  }
}
