import { describe, expect, it } from 'vitest'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { findConflicts, applyStandingChoice } from './conflict-scan.ts'
import { createJob, type UploadItem } from './upload-job.ts'

function jobOf(...names: readonly string[]) {
  const sources = names.map((name) => ({ file: { size: 1, name } as File, relativePath: name }))
  const place = { spaceId: 1, groupId: 0 }
  return createJob({ id: 1, name: 'drop', isGroup: true, folder: '/', place, sources, emptyFolders: [], addedAt: 0 })
}

function taken(items: readonly UploadItem[]): ReadonlyMap<UploadItem, unknown> {
  return new Map(items.map((item) => [item, {}]))
}

describe('names that are taken', () => {
  it('are found also with accents apart, as macOS has them', async () => {
    const job = jobOf('cafe\u0301.txt', 'cafe\u0301/menu', 'free')
    const stored = new Set(['/caf\u00E9.txt', '/caf\u00E9', '/caf\u00E9/menu'])
    const operate = (async (_operation: string, { paths }: { paths: readonly string[] }) => ({
      items: paths.map((path) => ({ path: path.normalize() })).filter(({ path }) => stored.has(path)),
    })) as unknown as FileOperations
    expect([...(await findConflicts(operate, job)).keys()]).toEqual(job.items.slice(0, 2))
  })
})

describe('an answer for all', () => {
  it('asks again while nothing was answered for all', () => {
    const job = jobOf('a', 'b')
    expect(applyStandingChoice(job, taken(job.items))).toBe(false)
    expect(job.items.map(({ state }) => state)).toEqual(['pending', 'pending'])
  })

  it('holds for what turns out to be taken later in the same drop', () => {
    const job = jobOf('a', 'b', 'c')
    job.standing = 'skip'
    expect(applyStandingChoice(job, taken(job.items.slice(1)))).toBe(true)
    expect(job.items.map(({ state }) => state)).toEqual(['pending', 'skipped', 'skipped'])
    expect(job.skipped).toBe(2)
  })

  it('replaces or keeps both as it was said', () => {
    for (const choice of ['replace', 'keep-both'] as const) {
      const job = jobOf('a')
      job.standing = choice
      expect(applyStandingChoice(job, taken(job.items))).toBe(true)
      expect(job.items.map(({ state, conflict }) => [state, conflict])).toEqual([['pending', choice]])
    }
  })
})

describe('what an account ignores', () => {
  it('is skipped with size 0 and never pending', () => {
    const sources = [{ file: { size: 7 } as File, relativePath: 'a', isIgnored: true }]
    const place = { spaceId: 1, groupId: 0 }
    const job = createJob({
      id: 1,
      name: 'a',
      isGroup: false,
      folder: '/',
      place,
      sources,
      emptyFolders: [],
      addedAt: 0,
    })
    expect([job.bytes, job.skipped, job.completed, job.items[0]?.state]).toEqual([0, 1, 0, 'skipped'])
  })
})
