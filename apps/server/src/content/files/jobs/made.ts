import { LIMITS } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { VersionRow } from '../../quotas/index.ts'
import type { StoredEntry } from '../files.changes.ts'
import { seenAs } from './seen.ts'
import { treeMark } from './tree-mark.ts'

/** One entry that a copy or move made, as an undo finds it again. */
export interface Made {
  /** Path that it was made from, and its own: of what a copy brought into folders that were there before, each by itself. */
  readonly from: string
  readonly path: string
  /** What it was then, see seen.ts; of a copied folder also what was in it, see tree-mark.ts. */
  readonly seen: string
  readonly tree: string
  /** The version that keeps what was replaced; '' when nothing was. */
  readonly versionId: string
}

export interface TakenChange {
  readonly kind: 'copy' | 'move'
  readonly from: string
  /** Whether it is only a part of what the job was given: an entry below a folder. */
  readonly isPart: boolean
  /** Where the entry is now, as the job names it. */
  readonly to: string
  readonly at: StoredEntry
  readonly entry: Entry
  readonly isReplacement: boolean
  readonly version: VersionRow | undefined
}

const MADE_MAX = LIMITS.pathsPerCall

/** Collects what a job makes, for as long as an undo could take back all of it. */
export class MadeList {
  #made: Made[] | undefined = []
  readonly #paths = new Set<string>()

  /** Whatever the job did cannot be taken back as a whole: it went on after a cut, or made folders to fill them. */
  giveUp(): void {
    this.#made = undefined
  }

  async add({ kind, from, isPart, to, at, entry, isReplacement, version }: TakenChange): Promise<void> {
    const isLost = isReplacement && version === undefined
    // What came to one name twice is not told apart.
    const isTwice = this.#paths.has(to)
    if (isLost || isTwice || (kind === 'move' && isPart) || this.#paths.size >= MADE_MAX) this.giveUp()
    if (this.#made === undefined) return
    this.#paths.add(to)
    const tree = kind === 'copy' && entry.kind === 'folder' ? await treeMark(at) : ''
    if (tree === undefined) return this.giveUp()
    this.#made?.push({ from, path: to, seen: seenAs(entry), tree, versionId: version?.id ?? '' })
  }

  /** @returns undefined when there is nothing to take back, or not all of it can be */
  all(kind: 'copy' | 'move'): readonly Made[] | undefined {
    const made = this.#made ?? []
    const folders = new Set(made.map(({ from }) => from.slice(0, from.lastIndexOf('/'))))
    // A move goes back into one folder.
    return folders.size === 1 || (kind === 'copy' && made.length > 0) ? made : undefined
  }
}
