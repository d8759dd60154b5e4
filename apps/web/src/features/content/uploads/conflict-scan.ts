import type { OperationReply } from '@godwit/contract'
import { LIMITS } from '@godwit/contract/limits'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { joinPath } from '../../../lib/paths.ts'
import type { Conflict } from '../conflicts/index.ts'
import { setItemState, type UploadItem, type UploadJob } from './upload-job.ts'

type Found = OperationReply<'exists'>['items'][number]

/** What has the name already. */
export interface Taken {
  readonly isFolder: boolean
  readonly size: number
  /** Unix seconds. */
  readonly time: number
}

const PATHS_AT_ONCE = 5_000

/**
 * Which files of a job would meet a taken name, in subfolders too, before a byte is sent. What lies in a folder that is not
 * there cannot meet anything, so only its top name is asked for.
 */
export async function findConflicts(operate: FileOperations, job: UploadJob): Promise<Map<UploadItem, Taken>> {
  const pending = job.items.filter(({ state }) => state === 'pending')
  const tops = [...new Set(pending.map(({ source }) => topOf(source.relativePath)))]
  const takenTops = new Set((await lookUp(operate, job, tops)).keys())
  const suspects = pending.filter(({ source }) => takenTops.has(keyOf(job, topOf(source.relativePath))))
  const found = await lookUp(
    operate,
    job,
    suspects.map(({ source }) => source.relativePath),
  )
  const conflicts = new Map<UploadItem, Taken>()
  for (const item of suspects) {
    const entry = found.get(keyOf(job, item.source.relativePath))
    if (entry !== undefined) conflicts.set(item, { ...entry, isFolder: entry.file_type === 'Folder' })
  }
  return conflicts
}

async function lookUp(
  operate: FileOperations,
  job: UploadJob,
  relative: readonly string[],
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const step = Math.min(PATHS_AT_ONCE, LIMITS.pathsPerCall)
  for (let at = 0; at < relative.length; at += step) {
    const paths = relative.slice(at, at + step).map((path) => joinPath(job.folder, path))
    const { items } = await operate('exists', { ...job.place, paths })
    for (const item of items) found.set(item.path.normalize(), item)
  }
  return found
}

/** A name with its accents apart, as macOS has them, is returned by the server with them joined. */
function keyOf(job: UploadJob, relativePath: string): string {
  return joinPath(job.folder, relativePath).normalize()
}

function topOf(relativePath: string): string {
  return relativePath.split('/', 1)[0] ?? ''
}

export function conflictOf(item: UploadItem, existing: Taken): Conflict {
  return {
    path: item.source.relativePath,
    existing: { size: existing.isFolder ? undefined : existing.size, time: existing.time },
    incoming: { size: item.size, time: Math.floor(item.source.file.lastModified / 1000) },
  }
}

/** Puts the person's choices on the items; a skipped one is settled without being sent. */
export function applyChoices(
  job: UploadJob,
  conflicts: ReadonlyMap<UploadItem, unknown>,
  choices: ReadonlyMap<string, 'replace' | 'keep-both' | 'skip'>,
): void {
  for (const item of conflicts.keys()) {
    const choice = choices.get(item.source.relativePath) ?? 'skip'
    if (choice === 'skip') setItemState(job, item, 'skipped')
    else item.conflict = choice
  }
}

/**
 * What was chosen for all earlier in the same drop holds.
 * @returns false when nothing was
 */
export function applyStandingChoice(job: UploadJob, conflicts: ReadonlyMap<UploadItem, unknown>): boolean {
  const { standing } = job
  if (standing === undefined) return false
  applyChoices(job, conflicts, new Map([...conflicts.keys()].map((item) => [item.source.relativePath, standing])))
  return true
}
