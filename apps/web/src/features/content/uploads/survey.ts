import type { OperationReply } from '@godwit/contract'
import { ERRORS } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { type Fixes, kindOf, type Preflight, type Problem } from '../preflight/index.ts'
import { pathFailure } from './refused-names.ts'
import { setItemState, type UploadItem, type UploadJob } from './upload-job.ts'

/** Half of what a call takes: an answer of a few hundred milliseconds, and a frame that stalls nothing. */
const FILES_AT_ONCE = 5_000
/** Some ten milliseconds of looking at names; then the page has its turn. */
const NAMES_AT_ONCE = 1_000

export interface Flagged extends Problem {
  readonly job: UploadJob
  readonly item: UploadItem
}

export interface Survey extends Omit<Preflight, 'rate'> {
  readonly problems: readonly Flagged[]
}

type Room = Pick<OperationReply<'preflight'>, 'quotaLeftBytes' | 'isStorageFull'>

/** What stands in the way of jobs of one drop: asked of the server for all files at once, before a byte is sent. */
export async function surveyJobs(operate: FileOperations, jobs: readonly UploadJob[]): Promise<Survey> {
  const pending = jobs.flatMap((job) =>
    job.items.filter(({ state }) => state === 'pending').map((item) => ({ job, item })),
  )
  const bytes = pending.reduce((sum, { item }) => sum + item.size, 0)
  const local = await localProblems(pending)
  const asked = pending.filter(({ item }) => !local.has(item))
  const found: Flagged[] = []
  let room: Room = { quotaLeftBytes: null, isStorageFull: false }
  for (let at = 0; at < asked.length; at += FILES_AT_ONCE) {
    const some = asked.slice(at, at + FILES_AT_ONCE)
    const { problems, ...rest } = await ask(operate, some, bytes)
    room = rest
    for (const { index, code, data, existing } of problems) {
      const file = some[index]
      if (file !== undefined) found.push(flagged(file, new ApiError({ code, message: '', data }), existing))
    }
  }
  return { problems: [...local.values(), ...found], files: pending.length, bytes, ...room }
}

interface Pending {
  readonly job: UploadJob
  readonly item: UploadItem
}

function ask(operate: FileOperations, files: readonly Pending[], totalBytes: number) {
  const [first] = files
  if (first === undefined) throw new Error('nothing to ask for')
  const paths = files.map(({ item }) => item.source.relativePath)
  const sizes = files.map(({ item }) => item.size)
  return operate('preflight', { ...first.job.place, folder: first.job.folder, paths, sizes, totalBytes })
}

/** Names that no server takes, and those that differ in case only from others of the same drop. */
async function localProblems(pending: readonly Pending[]): Promise<ReadonlyMap<UploadItem, Flagged>> {
  const problems = new Map<UploadItem, Flagged>()
  const spelled = new Map<string, string>()
  for (const [at, file] of pending.entries()) {
    if (at % NAMES_AT_ONCE === NAMES_AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve))
    const { relativePath } = file.item.source
    const error = pathFailure(file.job.folder, relativePath) ?? twinFailure(spelled, relativePath)
    if (error !== undefined) problems.set(file.item, flagged(file, error))
  }
  return problems
}

function twinFailure(spelled: Map<string, string>, path: string): ApiError | undefined {
  for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
    const part = (end < 0 ? path : path.slice(0, end)).normalize('NFC')
    const folded = part.toLowerCase()
    const known = spelled.get(folded)
    if (known === undefined) spelled.set(folded, part)
    else if (known !== part)
      return new ApiError({ code: ERRORS.NAME_CASE_CLASH.wire, message: '', data: { name: known } })
    if (end < 0) return undefined
  }
}

function flagged({ job, item }: Pending, error: ApiError, existing?: Problem['existing']): Flagged {
  return { job, item, error, existing, kind: kindOf(error.name), path: item.source.relativePath, size: item.size }
}

/**
 * Puts the person's fixes on the files.
 * @returns whether one got another name, which has to be looked up as well
 */
export function applyFixes(problems: readonly Flagged[], fixes: NonNullable<Fixes>): boolean {
  let isRenamed = false
  for (const { job, item, path } of problems) {
    const fix = fixes.get(path) ?? { choice: 'skip' as const }
    if ('rename' in fix) {
      item.source = { ...item.source, relativePath: fix.rename }
      isRenamed = true
    } else if (fix.choice === 'skip') setItemState(job, item, 'skipped')
    else {
      item.conflict = fix.choice
      item.isSettled = true
    }
  }
  return isRenamed
}
