import { LIMITS } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { VersionRow } from '../../quotas/index.ts'
import type { StoredEntry } from '../files.changes.ts'
import { seenAs } from './seen.ts'
import { lineOf, TREE_MAX, treeLines, treeMark, type TreeLines } from './tree-mark.ts'

/** One entry that a copy or move made, as an undo finds it again. */
export interface Made {
  /** Path that it was made from, and its own: of what went into folders that were there before, each by itself. */
  readonly from: string
  readonly path: string
  /** What it was then, see seen.ts. */
  readonly seen: string
  /** What was in it, see tree-mark.ts: of a folder that was copied, and of one that a move brought into a folder there before. */
  readonly tree: string
  /** The version that keeps what was replaced; '' when nothing was. */
  readonly versionId: string
  /** The versions that a file had which a move replaced: they are among those of the moved file since. */
  readonly older?: readonly string[]
}

/** What an undo of a job takes back; nothing where not all of it can be. */
export interface Undoable {
  readonly made?: readonly Made[]
  /** Folders that a move removed because it had emptied them, in that order. */
  readonly emptied?: readonly string[]
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
  /** Versions of the file that a move replaced. */
  readonly older: readonly VersionRow[]
}

/** A folder that is made and filled entry by entry. */
interface Filling {
  readonly path: string
  /** What was brought into it. */
  readonly lines: Map<string, number | undefined>
}

const NONE: TreeLines = new Map()
const MADE_MAX = LIMITS.pathsPerCall

/** Collects what a job makes, for as long as an undo could take back all of it. */
export class MadeList {
  #made: Made[] | undefined = []
  readonly #paths = new Set<string>()
  readonly #emptied: string[] = []
  #filling: Filling | undefined

  /** Whatever the job did cannot be taken back as a whole, or is not known: it went on after a cut. */
  giveUp(): void {
    this.#made = undefined
  }

  async add(change: TakenChange): Promise<void> {
    const { kind, from, isPart, to, at, entry, isReplacement, version, older } = change
    // What came to one name twice is not told apart.
    if ((isReplacement && version === undefined) || this.#paths.has(to)) this.giveUp()
    if (this.#made === undefined) return
    const isMarked = entry.kind === 'folder' && (kind === 'copy' || isPart)
    const below = this.#belowFilling(to)
    if (below !== undefined) return isReplacement ? this.giveUp() : this.#fillWith(below, change)
    const tree = isMarked ? await treeMark(at) : ''
    if (tree === undefined) return this.giveUp()
    const kept = older.length > 0 ? { older: older.map(({ id }) => id) } : {}
    this.#push({ from, path: to, seen: seenAs(entry), tree, versionId: version?.id ?? '', ...kept })
  }

  /** A copy makes a folder, to fill it entry by entry. */
  fill(path: string): void {
    const below = this.#belowFilling(path)
    if (below !== undefined) this.#filling?.lines.set(lineOf({ below, size: undefined }), undefined)
    else if (this.#filling === undefined) this.#filling = { path, lines: new Map() }
    // The one before was never filled to its end.
    else this.giveUp()
  }

  /** The folder has all that it gets. It is one entry for an undo, as a folder that was copied as a whole. */
  async filled({ from, to, at }: Pick<TakenChange, 'from' | 'to' | 'at'>): Promise<void> {
    const filling = this.#filling
    if (this.#made === undefined || filling?.path !== to) return
    this.#filling = undefined
    const entry = await at.store.stat(at.key)
    const tree = await treeMark(at, filling.lines)
    if (entry === undefined || tree === undefined) return this.giveUp()
    this.#push({ from, path: to, seen: seenAs(entry), tree, versionId: '' })
  }

  /** A move removed a folder, after all in it went into one that was there before. */
  emptied(path: string): void {
    if (this.#emptied.push(path) > MADE_MAX) this.giveUp()
  }

  all(): Undoable {
    const made = this.#made
    const emptied = this.#emptied
    if (made === undefined || this.#filling !== undefined) return {}
    if (emptied.length > 0) return { made, emptied }
    return made.length > 0 ? { made } : {}
  }

  #push(made: Made): void {
    if (this.#paths.size >= MADE_MAX) this.giveUp()
    this.#paths.add(made.path)
    this.#made?.push(made)
  }

  async #fillWith(below: string, { at, entry }: TakenChange): Promise<void> {
    const lines = this.#filling?.lines
    const isFolder = entry.kind === 'folder'
    if (isFolder) lines?.set(lineOf({ below, size: undefined }), undefined)
    else lines?.set(lineOf({ below, size: entry.size }), entry.modifiedMs)
    const more = isFolder ? await treeLines(at) : NONE
    for (const [line, modifiedMs] of more ?? NONE) lines?.set(below + line, modifiedMs)
    if (more === undefined || (lines?.size ?? 0) > TREE_MAX) this.giveUp()
  }

  /** @returns the path below the folder that is being filled; undefined for one that is not there */
  #belowFilling(path: string): string | undefined {
    const top = this.#filling?.path
    return top !== undefined && path.startsWith(`${top}/`) ? path.slice(top.length) : undefined
  }
}
