import { LIMITS } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { VersionRow } from '../../quotas/index.ts'
import type { StoredEntry } from '../files.changes.ts'
import { seenAs } from './seen.ts'
import { treeMark } from './tree-mark.ts'

/** One entry that a copy or move made, as an undo finds it again. */
export interface Made {
  /** Path that it was made from, and its own. */
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
  /** Path of the job that is done with it; undefined for a part of one. */
  readonly path: string | undefined
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

  /** Whatever the job did cannot be taken back as a whole: it went on after a cut, or merged folders. */
  giveUp(): void {
    this.#made = undefined
  }

  async add({ kind, path, to, at, entry, isReplacement, version }: TakenChange): Promise<void> {
    // A copy that replaced a file is taken back by the versions of that file.
    const isLost = isReplacement && (kind === 'copy' || version === undefined)
    if (path === undefined || isLost || (this.#made?.length ?? 0) >= MADE_MAX) this.giveUp()
    if (this.#made === undefined || path === undefined) return
    const tree = kind === 'copy' && entry.kind === 'folder' ? await treeMark(at) : ''
    if (tree === undefined) return this.giveUp()
    this.#made?.push({ from: path, path: to, seen: seenAs(entry), tree, versionId: version?.id ?? '' })
  }

  /** @returns undefined when there is nothing to take back, or not all of it can be */
  get all(): readonly Made[] | undefined {
    const made = this.#made ?? []
    const folders = new Set(made.map(({ from }) => from.slice(0, from.lastIndexOf('/'))))
    return folders.size === 1 ? made : undefined
  }
}
