import { describe, expect, it } from 'vitest'
import { followed } from './followed-transfer.ts'
import { createJob } from './upload-job.ts'

function job(change: { readonly isPaused?: boolean; readonly wishes?: number; readonly heardAt?: number } = {}) {
  const file = { size: 10, lastModified: 0 } as File
  const made = createJob({
    ...{ id: 1, name: 'a', isGroup: false, folder: '/', place: { spaceId: 1, groupId: 0 }, emptyFolders: [] },
    sources: [{ file, relativePath: 'a' }],
    addedAt: 0,
  })
  return Object.assign(made, { isScanning: false, ...change })
}

describe('an upload whose transfer was changed elsewhere', () => {
  it('pauses, goes on and ends with it', () => {
    expect(followed(job(), { state: 'paused', updatedAt: 5 })).toBe('pause')
    expect(followed(job({ isPaused: true }), { state: 'running', updatedAt: 5 })).toBe('resume')
    expect(followed(job(), { state: 'cancelled', updatedAt: 5 })).toBe('cancel')
    expect(followed(job(), { state: 'running', updatedAt: 5 })).toBeUndefined()
  })

  it('is not moved by news from before what was wished here', () => {
    expect(followed(job({ isPaused: true, heardAt: 5 }), { state: 'running', updatedAt: 5 })).toBeUndefined()
    expect(followed(job({ isPaused: true, heardAt: 5 }), { state: 'running', updatedAt: 6 })).toBe('resume')
    expect(followed(job({ wishes: 1 }), { state: 'paused', updatedAt: 9 })).toBeUndefined()
  })

  it('stays over once it is', () => {
    const finished = Object.assign(job(), { completed: 1 })
    expect(followed(finished, { state: 'cancelled', updatedAt: 9 })).toBeUndefined()
  })
})
