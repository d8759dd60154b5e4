import type { FileOperations } from '../../../lib/file-operations.ts'
import { isFailure, isTransient } from '../../../lib/http.ts'
import type { Conflict, Resolution } from '../conflicts/index.ts'
import type { Fixes, Preflight } from '../preflight/index.ts'
import { applyChoices, applyStandingChoice, conflictOf, findConflicts, type Taken } from './conflict-scan.ts'
import { makeEmptyFolders } from './empty-folders.ts'
import { refuseNames } from './refused-names.ts'
import type { SessionGate } from './session-gate.ts'
import { applyFixes, type Flagged, type Survey, surveyJobs } from './survey.ts'
import { setItemState, type UploadItem, type UploadJob } from './upload-job.ts'

const RETRY_MS = 2_000

export interface PreparationDeps {
  readonly operate: FileOperations
  /** Asks about taken names; undefined as an answer takes the files back. */
  readonly askConflicts: (conflicts: readonly Conflict[]) => Promise<Resolution>
  /** Asks about everything that stands in the way; absent: only about taken names. */
  readonly askFixes: ((preflight: Preflight) => Promise<Fixes>) | undefined
  /** Bytes a second of earlier uploads. */
  readonly rate: () => number | undefined
  readonly session: SessionGate
  /** False once a job was taken back. */
  readonly isQueued: (job: UploadJob) => boolean
  readonly onChange: (job: UploadJob) => void
  /** Gives jobs that are about to start their line in the list of transfers; absent where there is none. */
  readonly begin?: ((job: UploadJob) => Promise<void>) | undefined
  /** The question about their names was closed without an answer. */
  readonly onTakeBack: (jobs: readonly UploadJob[]) => void
}

/** Looks for taken names, asks once about all of them, makes empty folders; then the jobs may start. */
export async function prepareJobs(
  deps: PreparationDeps,
  jobs: readonly UploadJob[],
  onReady: (job: UploadJob) => void,
): Promise<void> {
  const { askFixes } = deps
  if (askFixes !== undefined) await settleProblems({ ...deps, askFixes }, jobs)
  else {
    for (const job of jobs) refuseNames(job)
    await settleNames(deps, jobs)
  }
  const { begin } = deps
  if (begin !== undefined) await Promise.all(jobs.filter((job) => deps.isQueued(job)).map(begin))
  for (const job of jobs) {
    if (job.emptyFolders.length > 0 && job.isScanning) {
      await whileReachable(deps, [job], () => makeEmptyFolders(deps.operate, job))
    }
    job.isScanning = false
    deps.onChange(job)
    onReady(job)
  }
}

type FixingDeps = PreparationDeps & { readonly askFixes: (preflight: Preflight) => Promise<Fixes> }

/**
 * Looks at all of a drop before its first byte. Nothing is asked when all is well; taken names alone are asked about one by
 * one, with both sides; anything else in one list. New names are looked up again.
 */
async function settleProblems(deps: FixingDeps, jobs: readonly UploadJob[]): Promise<void> {
  let hasAsked = false
  for (let isRenamed = true; isRenamed;) {
    const survey = await whileReachable(deps, jobs, () => surveyJobs(deps.operate, jobs))
    if (survey === undefined) return
    const problems = survey.problems.filter((problem) => !settle(problem))
    if (problems.every(({ kind }) => kind === 'taken') && (hasAsked || hasRoom(survey))) {
      return askAboutTaken(deps, takenIn(jobs, problems))
    }
    const preflight = { ...survey, problems, rate: deps.rate() }
    const fixes = await whileReachable(deps, jobs, () => deps.session.within(deps.askFixes(preflight)))
    if (fixes === undefined) return deps.onTakeBack(jobs.filter(deps.isQueued))
    hasAsked = true
    isRenamed = applyFixes(problems, fixes)
  }
}

/** Settles a taken name as was chosen for it before, or for all of the drop. @returns false when nothing was */
function settle(problem: Flagged): boolean {
  const { kind, job, item, path } = problem
  if (kind !== 'taken') return false
  if (item.isSettled === true) return true
  if (job.standing === undefined) return false
  applyFixes([problem], new Map([[path, { choice: job.standing }]]))
  return true
}

function hasRoom({ bytes, quotaLeftBytes, isStorageFull }: Survey): boolean {
  return !isStorageFull && (quotaLeftBytes === null || bytes <= quotaLeftBytes)
}

/** Taken names by their jobs. */
function takenIn(jobs: readonly UploadJob[], problems: readonly Flagged[]): readonly Looked[] {
  const byJob = Map.groupBy(problems, ({ job }) => job)
  return jobs.map((job) => ({
    job,
    conflicts: new Map(
      (byJob.get(job) ?? []).map(({ item, existing = { isFolder: false, size: 0, time: 0 } }) => [item, existing]),
    ),
  }))
}

interface Looked {
  readonly job: UploadJob
  readonly conflicts: ReadonlyMap<UploadItem, Taken>
}

async function settleNames(deps: PreparationDeps, jobs: readonly UploadJob[]): Promise<void> {
  const { operate } = deps
  const looked = await Promise.all(
    jobs.map(async (job) => ({ job, conflicts: await whileReachable(deps, [job], () => findConflicts(operate, job)) })),
  )
  await askAboutTaken(
    deps,
    looked.flatMap(({ job, conflicts }) => (conflicts === undefined ? [] : [{ job, conflicts }])),
  )
}

async function askAboutTaken(deps: PreparationDeps, found: readonly Looked[]): Promise<void> {
  const { askConflicts, session } = deps
  const open = found.filter(({ job, conflicts }) => conflicts.size > 0 && !applyStandingChoice(job, conflicts))
  if (open.length === 0) return
  const asked = open.flatMap(({ conflicts }) => [...conflicts].map(([item, entry]) => conflictOf(item, entry)))
  const choices = await whileReachable(
    deps,
    open.map(({ job }) => job),
    () => session.within(askConflicts(asked)),
  )
  // The answer for all is one for the drop: its other jobs remember it as well.
  if (choices?.standing !== undefined) for (const { job } of found) job.standing = choices.standing
  if (choices === undefined) deps.onTakeBack(open.map(({ job }) => job).filter(deps.isQueued))
  else for (const { job, conflicts } of open) applyChoices(job, conflicts, choices.byPath)
}

/**
 * Does for jobs what needs the server, again and again while it is out of reach or nobody is signed in.
 * @returns undefined when it was refused, and the jobs failed with the reason; or when all of them were taken back
 */
async function whileReachable<Result>(
  deps: PreparationDeps,
  jobs: readonly UploadJob[],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  while (jobs.some(deps.isQueued)) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) && !isFailure(error, 'TOKEN_INVALID')) {
        for (const job of jobs) failJob(deps, job, error)
        return undefined
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      await deps.session.opened()
    }
  }
  return undefined
}

function failJob({ onChange }: PreparationDeps, job: UploadJob, error: unknown): void {
  for (const item of job.items) {
    if (item.state !== 'pending') continue
    item.error = error
    setItemState(job, item, 'failed')
  }
  job.isScanning = false
  onChange(job)
}
