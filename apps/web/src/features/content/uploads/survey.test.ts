import { ERRORS } from '@godwit/contract/errors/catalogue'
import { describe, expect, it, vi } from 'vitest'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Conflict } from '../conflicts/index.ts'
import type { Fixes, Preflight } from '../preflight/index.ts'
import { prepareJobs } from './prepare-jobs.ts'
import { SessionGate } from './session-gate.ts'
import { surveyJobs } from './survey.ts'
import { createJob, type UploadJob } from './upload-job.ts'

function jobOf(paths: readonly string[], standing?: 'skip'): UploadJob {
  const sources = paths.map((relativePath) => ({ file: { size: 2, lastModified: 0 } as File, relativePath }))
  const place = { spaceId: 1, groupId: 0 }
  return createJob({
    ...{ id: 1, name: 'set', isGroup: true, folder: '/in', place, addedAt: 0, sources, emptyFolders: [] },
    ...(standing && { standing }),
  })
}

type Operate = (operation: string, input: { readonly paths: readonly string[] }) => Promise<object>

/** A server where some paths are taken. */
function serverWith(taken: readonly string[], quotaLeftBytes: number | null = null) {
  return vi.fn<Operate>(async (_operation, { paths }) => ({
    problems: paths.flatMap((path, index) =>
      taken.includes(path)
        ? [{ index, code: ERRORS.PATH_EXISTS.wire, data: {}, existing: { isFolder: false, size: 1, time: 1 } }]
        : [],
    ),
    quotaLeftBytes,
    isStorageFull: false,
  }))
}

function preparation(operate: ReturnType<typeof serverWith>, answers: readonly Fixes[]) {
  const asked: Preflight[] = []
  const askConflicts = vi.fn<(conflicts: readonly Conflict[]) => Promise<undefined>>(() => Promise.resolve(undefined))
  const takenBack = vi.fn<(jobs: readonly UploadJob[]) => void>()
  const deps = {
    operate: operate as unknown as FileOperations,
    askConflicts,
    askFixes: (preflight: Preflight) => Promise.resolve(answers[asked.push(preflight) - 1]),
    rate: () => undefined,
    session: new SessionGate(),
    isQueued: () => true,
    onChange: () => undefined,
    onTakeBack: takenBack,
  }
  return { asked, askConflicts, takenBack, prepare: (job: UploadJob) => prepareJobs(deps, [job], () => undefined) }
}

describe('the look at a drop before its first byte', () => {
  it('asks nothing of anybody when all is well, and the server once', async () => {
    const server = serverWith([])
    const { asked, askConflicts, prepare } = preparation(server, [])
    const job = jobOf(['a', 'set/b'])
    await prepare(job)
    expect([asked.length, askConflicts.mock.calls.length, server.mock.calls.length]).toEqual([0, 0, 1])
    expect(job.items.map(({ state }) => state)).toEqual(['pending', 'pending'])
  })

  it('leaves taken names alone to the question with both sides', async () => {
    const { asked, askConflicts, prepare } = preparation(serverWith(['a']), [])
    await prepare(jobOf(['a', 'b']))
    expect(asked).toEqual([])
    expect(askConflicts.mock.calls).toHaveLength(1)
  })

  it('asks about everything at once, and looks new names up again', async () => {
    const server = serverWith(['a', 'x_y'])
    const first = new Map([
      ['a', { choice: 'replace' as const }],
      ['x:y', { rename: 'x_y' }],
      ['B', { choice: 'skip' as const }],
    ])
    const { asked, askConflicts, prepare } = preparation(server, [first, undefined])
    const job = jobOf(['a', 'x:y', 'b', 'B'])
    await prepare(job)
    expect(asked.map(({ problems }) => problems.map(({ path, kind }) => [path, kind]))).toEqual([
      [
        ['x:y', 'name'],
        ['B', 'case'],
        ['a', 'taken'],
      ],
    ])
    // The new name is taken as well; that of `a` was settled before.
    expect(askConflicts.mock.calls).toEqual([[[expect.objectContaining({ path: 'x_y' })]]])
    expect(job.items.map(({ source, state, conflict }) => [source.relativePath, state, conflict])).toEqual([
      ['a', 'pending', 'replace'],
      ['x_y', 'pending', 'fail'],
      ['b', 'pending', 'fail'],
      ['B', 'skipped', 'fail'],
    ])
  })

  it('takes all back when the question is closed', async () => {
    const { takenBack, prepare } = preparation(serverWith([]), [undefined])
    const job = jobOf(['x:y', 'fine'])
    await prepare(job)
    expect(takenBack.mock.calls).toEqual([[[job]]])
  })

  it('says when the quota is short, once', async () => {
    const { asked, prepare } = preparation(serverWith([], 3), [new Map()])
    await prepare(jobOf(['a', 'b']))
    expect(asked).toMatchObject([{ problems: [], bytes: 4, files: 2, quotaLeftBytes: 3 }])
  })

  it('skips taken names unasked where the rule of the account says so', async () => {
    const { asked, askConflicts, prepare } = preparation(serverWith(['a']), [])
    const job = jobOf(['a', 'b'], 'skip')
    await prepare(job)
    expect([asked.length, askConflicts.mock.calls.length]).toEqual([0, 0])
    expect(job.items.map(({ state }) => state)).toEqual(['skipped', 'pending'])
  })

  it('asks for 5,000 files at a time', async () => {
    const server = serverWith(['9999'])
    const { problems } = await surveyJobs(server as unknown as FileOperations, [
      jobOf(Array.from({ length: 10_000 }, (_, at) => String(at))),
    ])
    expect(server.mock.calls.map(([, { paths }]) => paths.length)).toEqual([5_000, 5_000])
    expect(problems.map(({ path }) => path)).toEqual(['9999'])
  })

  it('finds folders that differ in case only within one drop', async () => {
    const { problems } = await surveyJobs(serverWith([]) as unknown as FileOperations, [
      jobOf(['Set/a', 'set/b', 'Set/c']),
    ])
    expect(problems.map(({ path, kind }) => [path, kind])).toEqual([['set/b', 'case']])
  })
})
