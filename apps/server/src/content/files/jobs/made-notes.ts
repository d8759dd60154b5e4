import type { Db, Tx } from '../../../kernel/db/index.ts'
import type { Job } from '../../../kernel/queue/index.ts'
import type { Found } from '../../access/index.ts'
import type { StoredEntry } from '../files.changes.ts'
import { jobNotesStore, type Noting, type StepNote, type TakenNote } from '../steps/index.ts'
import { shapeOf, treeLines, treeMark } from '../tree-mark.ts'
import { MadeList, type JobNote, type Undoable } from './made.ts'
import { seenAs } from './seen.ts'
import type { TransferPayload } from './start-transfer.ts'

type TransferJob = Pick<Job<TransferPayload>, 'id' | 'attempts' | 'payload'>

/** A note of the job itself, before it has its number. */
type Unnumbered = JobNote extends infer Note ? (Note extends TakenNote ? never : Omit<Note, 'seq'>) : never

/** What a job made, written down: with each step, so that a run which goes on after a cut knows all of it. */
export class MadeNotes {
  readonly #db: Db
  readonly #jobId: string
  readonly #kind: 'copy' | 'move'
  #list: MadeList

  constructor(db: Db, jobId: string, kind: 'copy' | 'move') {
    this.#db = db
    this.#jobId = jobId
    this.#kind = kind
    this.#list = new MadeList(kind)
  }

  /** What earlier runs noted. Call it once their steps are settled. */
  async load({ attempts, payload }: TransferJob): Promise<void> {
    const notes = attempts > 1 ? ((await jobNotesStore.ofJob(this.#db, this.#jobId)) as JobNote[]) : []
    this.#list = new MadeList(this.#kind, notes)
    // What takes a job back is not taken back itself; a run of an earlier version has noted nothing.
    if (payload.back !== undefined || (attempts > 1 && payload.isNoted !== true)) this.#list.giveUp()
  }

  /** What is to be noted of an entry that is about to be made. */
  async noteOf(making: Omit<Parameters<MadeList['noteOf']>[0], 'isFolder'>, source: Found): Promise<Noting> {
    const note = this.#list.noteOf({ ...making, isFolder: source.entry.kind === 'folder' })
    if (note === undefined) return {}
    const lines = note.look === 'nothing' ? undefined : await treeLines(source.location)
    return this.#noting(lines === undefined ? note : { ...note, shape: shapeOf(lines) })
  }

  /** As {@link noteOf}, of a folder that is made to be filled. */
  folder(made: Pick<StepNote, 'from' | 'to'>): Noting {
    if (this.#list.isGivenUp) return {}
    const job = { id: this.#jobId, at: -1 }
    return { job, ...this.#noting({ kind: 'fill', seq: this.#list.next, look: 'nothing', ...made }) }
  }

  /** What an earlier run made of an entry. */
  before(made: Pick<StepNote, 'from' | 'to'>): 'whole' | 'folder' | undefined {
    if (this.#list.hasBefore(made)) return 'whole'
    return this.#list.madeBefore(made.to) ? 'folder' : undefined
  }

  /** The folder has all that it gets. */
  async filled(made: { readonly from: string; readonly path: string }, at: StoredEntry): Promise<void> {
    const lines = this.#list.linesOf(made.path)
    if (lines === undefined || this.#list.isGivenUp) return
    const entry = await at.store.stat(at.key)
    const tree = await treeMark(at, lines)
    if (entry === undefined || tree === undefined) await this.#note({ kind: 'lost' })
    else await this.#note({ kind: 'filled', ...made, seen: seenAs(entry), tree })
  }

  /**
   * A move emptied a folder and removes it. Noted before: whoever is killed in between has not lost that it was there.
   * @param to the folder that was made for what was in it; undefined for one that was there before
   */
  async emptying(
    path: string,
    to: { readonly path: string; readonly at: StoredEntry } | undefined,
    remove: () => Promise<boolean>,
  ): Promise<void> {
    if (to === undefined) await this.#note({ kind: 'emptied', path })
    else await this.filled({ from: path, path: to.path }, to.at)
    if (await remove()) return
    // Where something had to stay, a folder cannot go back as one.
    await this.#note(to === undefined ? { kind: 'stayed', path } : { kind: 'lost' })
  }

  /** The entry at work failed: of a folder that was being filled there are two halves. */
  async stopFilling(): Promise<void> {
    if (this.#list.isFilling) await this.#note({ kind: 'lost' })
  }

  all(): Undoable {
    return this.#list.all()
  }

  /** What an undo needs is noted with the job. */
  forget(tx: Tx): Promise<void> {
    return jobNotesStore.forget(tx, this.#jobId)
  }

  #noting(note: StepNote): Noting {
    return { note, onTaken: (taken) => this.#list.take(taken) }
  }

  async #note(unnumbered: Unnumbered): Promise<void> {
    if (this.#list.isGivenUp) return
    const note = { ...unnumbered, seq: this.#list.next } as JobNote
    await jobNotesStore.insert(this.#db, this.#jobId, note)
    this.#list.take(note)
  }
}
