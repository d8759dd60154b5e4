import { StorageError, type Entry, type ObjectStore } from '@godwit/storage'
import type { Db, Tx } from '../../../kernel/db/index.ts'
import { shapeOf, treeLines, treeMark, UNLIKE_ANY } from '../tree-mark.ts'
import type { StepNote } from './step-note.ts'
import type { Step, Taken } from './step.ts'

interface FileJobNotesTable {
  job_id: string
  /** Grows with time. */
  seq: number
  /** See job-notes.ts; JSON. */
  note: string
}

declare module '../../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_job_notes: FileJobNotesTable
  }
}

/** The same of a step that was taken. */
export interface TakenNote extends StepNote {
  readonly step: Step['kind']
  readonly entry: Pick<Entry, 'kind' | 'etag' | 'size' | 'modifiedMs'>
  readonly isReplacement: boolean
  /** The version that keeps what was replaced; '' where nothing does. */
  readonly versionId: string
  /** See tree-mark.ts; '' where nobody looked, absent for a folder with too much in it. */
  readonly tree?: string
  /** Lines of its tree, see tree-mark.ts. */
  readonly lines?: ReadonlyArray<readonly [line: string, modifiedMs: number | null]>
}

/** The only SQL over `file_job_notes`. */
export const jobNotesStore = {
  async insert(db: Db | Tx, jobId: string, note: { readonly seq: number }): Promise<void> {
    const row = { job_id: jobId, seq: note.seq, note: JSON.stringify(note) }
    await db.insertInto('file_job_notes').values(row).execute()
  },

  /** In their order. */
  async ofJob(db: Db, jobId: string): Promise<unknown[]> {
    const notes = db.selectFrom('file_job_notes').select('note').where('job_id', '=', jobId)
    return (await notes.orderBy('seq').execute()).map(({ note }) => JSON.parse(note) as unknown)
  },

  async forget(db: Db | Tx, jobId: string): Promise<void> {
    await db.deleteFrom('file_job_notes').where('job_id', '=', jobId).execute()
  },

  /** Those of jobs that never run again. */
  async sweep(db: Db): Promise<void> {
    const mayRun = db.selectFrom('jobs').select('id').where('state', '!=', 'completed')
    await db.deleteFrom('file_job_notes').where('job_id', 'not in', mayRun).execute()
  },
}

interface Noted {
  readonly store: ObjectStore
  readonly taken: Taken
  readonly versionId: string
  /** Whether it was taken just now. After a cut others may have come to what it made. */
  readonly isNow: boolean
}

/** What a step turned out to be. Call it while its folders are held. */
export async function noteTaken(step: Step & { readonly note: StepNote }, noted: Noted): Promise<TakenNote> {
  const { note, entry: kind, replaced } = step
  const { taken, versionId } = noted
  const { etag, bytes, modifiedMs = 0 } = taken
  const entry = { kind, etag, size: kind === 'file' ? (bytes ?? 0) : 0, modifiedMs }
  const isReplacement = replaced !== undefined
  return {
    ...note,
    step: step.kind,
    entry,
    isReplacement,
    versionId,
    ...(await lookInto(step, noted).catch(unlessStorage)),
  }
}

/** The step is taken all the same, and nobody knows what it made. */
function unlessStorage(thrown: unknown): Pick<TakenNote, 'tree' | 'lines'> {
  if (thrown instanceof StorageError) return {}
  throw thrown
}

async function lookInto(
  { note, to: key }: Step & { readonly note: StepNote },
  { store, isNow }: Noted,
): Promise<Pick<TakenNote, 'tree' | 'lines'>> {
  const { look, shape } = note
  if (look === 'nothing') return { tree: '' }
  const lines = isNow && look === 'mark' ? undefined : await treeLines({ store, key })
  const isChanged = !isNow && (lines === undefined || shapeOf(lines) !== shape)
  if (isChanged) return look === 'mark' ? { tree: UNLIKE_ANY } : { tree: UNLIKE_ANY, lines: [[UNLIKE_ANY, null]] }
  if (look === 'lines') {
    if (lines === undefined) return {}
    return { tree: '', lines: [...lines].map(([line, modifiedMs]) => [line, modifiedMs ?? null] as const) }
  }
  const tree = await treeMark({ store, key })
  return tree === undefined ? {} : { tree }
}
