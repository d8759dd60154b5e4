import { LIMITS } from '@godwit/contract'
import type { StepNote, TakenNote } from '../steps/index.ts'
import { lineOf, TREE_MAX, type TreeLines } from '../tree-mark.ts'
import { seenAs } from './seen.ts'

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

/** What a job notes besides its steps. */
type OwnNote =
  /** A folder has all that it gets. It is one entry for an undo, as a folder that was copied as a whole. */
  | ({ readonly kind: 'filled' } & Pick<Made, 'from' | 'path' | 'seen' | 'tree'>)
  /** A move is about to remove a folder, after all in it went into one that was there before. */
  | { readonly kind: 'emptied'; readonly path: string }
  /** It did not: something is in it still. */
  | { readonly kind: 'stayed'; readonly path: string }
  /** Not all of it can be taken back. */
  | { readonly kind: 'lost' }

/** What happened to a job, as it is written down: a later run knows by it what the one that was cut short made. */
export type JobNote = TakenNote | (OwnNote & { readonly seq: number })

/** A step of a job before it is taken. */
interface Making extends Pick<StepNote, 'from' | 'to'> {
  readonly kind: 'copy' | 'move'
  /** Whether it is only a part of what the job was given: an entry below a folder. */
  readonly isPart: boolean
  readonly isFolder: boolean
}

/** A folder that is made and filled entry by entry. */
interface Filling {
  readonly path: string
  /** What was brought into it. */
  readonly lines: Map<string, number | undefined>
}

const MADE_MAX = LIMITS.pathsPerCall

/** What a job made, by its notes, for as long as an undo could take back all of it. */
export class MadeList {
  readonly #kind: 'copy' | 'move'
  #made: Made[] | undefined = []
  readonly #paths = new Set<string>()
  #emptied: string[] = []
  #filling: Filling | undefined
  #last = 0
  /** Of an earlier run: what it made of what, and the folders that it made. */
  readonly #before = new Set<string>()
  readonly #foldersBefore = new Set<string>()

  /** @param notes of an earlier run */
  constructor(kind: 'copy' | 'move', notes: readonly JobNote[] = []) {
    this.#kind = kind
    for (const note of notes) {
      this.take(note)
      if (note.kind === 'made') this.#before.add(pairOf(note))
      if (note.kind === 'fill') this.#foldersBefore.add(note.to)
    }
  }

  /** Whatever the job did cannot be taken back as a whole, or is not known. */
  giveUp(): void {
    this.#made = undefined
  }

  get isGivenUp(): boolean {
    return this.#made === undefined
  }

  get next(): number {
    return ++this.#last
  }

  /** The lines of a folder that is being filled. */
  linesOf(path: string): TreeLines | undefined {
    return this.#filling?.path === path ? this.#filling.lines : undefined
  }

  get isFilling(): boolean {
    return this.#filling !== undefined
  }

  /** Whether an earlier run brought an entry here already. */
  hasBefore(pair: Pick<StepNote, 'from' | 'to'>): boolean {
    return this.#before.has(pairOf(pair))
  }

  /** Whether an earlier run made this folder, to fill it. */
  madeBefore(path: string): boolean {
    return this.#foldersBefore.has(path)
  }

  /** What is to be noted of a step; nothing once the list is given up. */
  noteOf({ from, to, kind, isPart, isFolder }: Making): StepNote | undefined {
    if (this.isGivenUp) return undefined
    const isMarked = isFolder && (kind === 'copy' || isPart)
    const look = !isFolder ? 'nothing' : this.#belowFilling(to) !== undefined ? 'lines' : isMarked ? 'mark' : 'nothing'
    return { kind: 'made', seq: this.next, from, to, look }
  }

  take(note: JobNote): void {
    this.#last = Math.max(this.#last, note.seq)
    if (this.#made === undefined) return
    if (note.kind === 'made') this.#add(note)
    else if (note.kind === 'fill') this.#fill(note.to)
    else if (note.kind === 'filled') this.#filled(note)
    else if (note.kind === 'emptied') this.#empty(note.path)
    else if (note.kind === 'stayed') this.#emptied = this.#emptied.filter((path) => path !== note.path)
    else this.giveUp()
  }

  all(): Undoable {
    const made = this.#made
    const emptied = this.#emptied
    if (made === undefined || this.#filling !== undefined) return {}
    if (emptied.length > 0) return { made, emptied }
    return made.length > 0 ? { made } : {}
  }

  #add(note: TakenNote): void {
    const { from, to, step, entry, isReplacement, versionId, tree, older = [] } = note
    const below = this.#belowFilling(to)
    const isLost =
      // The source of a move stayed: it is there twice now.
      step !== this.#kind ||
      // What came to one name twice is not told apart.
      this.#paths.has(to) ||
      (isReplacement && (versionId === '' || below !== undefined)) ||
      tree === undefined
    if (isLost) return this.giveUp()
    if (below !== undefined) return this.#fillWith(below, note)
    const kept = older.length > 0 ? { older } : {}
    this.#push({ from, path: to, seen: seenAs({ key: '', ...entry }), tree, versionId, ...kept })
  }

  #fill(path: string): void {
    const below = this.#belowFilling(path)
    if (below !== undefined) this.#filling?.lines.set(lineOf({ below, size: undefined }), undefined)
    else if (this.#filling === undefined) this.#filling = { path, lines: new Map() }
    // The one before was never filled to its end.
    else this.giveUp()
  }

  #filled({ from, path, seen, tree }: Extract<JobNote, { kind: 'filled' }>): void {
    if (this.#filling?.path !== path) return
    this.#filling = undefined
    this.#push({ from, path, seen, tree, versionId: '' })
  }

  #empty(path: string): void {
    if (this.#emptied.includes(path)) return
    if (this.#emptied.push(path) > MADE_MAX) this.giveUp()
  }

  #push(made: Made): void {
    if (this.#paths.size >= MADE_MAX) this.giveUp()
    this.#paths.add(made.path)
    this.#made?.push(made)
  }

  #fillWith(below: string, { entry, lines: more = [] }: TakenNote): void {
    const lines = this.#filling?.lines
    const isFolder = entry.kind === 'folder'
    if (isFolder) lines?.set(lineOf({ below, size: undefined }), undefined)
    else lines?.set(lineOf({ below, size: entry.size }), entry.modifiedMs)
    for (const [line, modifiedMs] of more) lines?.set(below + line, modifiedMs ?? undefined)
    if ((lines?.size ?? 0) > TREE_MAX) this.giveUp()
  }

  /** @returns the path below the folder that is being filled; undefined for one that is not there */
  #belowFilling(path: string): string | undefined {
    const top = this.#filling?.path
    return top !== undefined && path.startsWith(`${top}/`) ? path.slice(top.length) : undefined
  }
}

function pairOf({ from, to }: Pick<StepNote, 'from' | 'to'>): string {
  return `${from}\0${to}`
}
