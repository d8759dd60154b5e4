import type { TransferState } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { followed } from './followed-transfer.ts'
import { createJob, takeUp, type UploadJob } from './upload-job.ts'

function job(change: { readonly isPaused?: boolean; readonly isWishing?: true; readonly heardAt?: number } = {}) {
  const file = { size: 10, lastModified: 0 } as File
  const made = createJob({
    ...{ id: 1, name: 'a', isGroup: false, folder: '/', place: { spaceId: 1, groupId: 0 }, emptyFolders: [] },
    sources: [{ file, relativePath: 'a' }],
    addedAt: 0,
  })
  return Object.assign(made, { isScanning: false, ...change })
}

const news = (about: UploadJob, state: TransferState, updatedAt: number, holder = 'here') =>
  followed(about, { state, updatedAt, holder }, 'here')

describe('an upload whose transfer was changed elsewhere', () => {
  it('pauses, goes on and ends with it', () => {
    expect(news(job(), 'paused', 5)).toBe('pause')
    expect(news(job({ isPaused: true }), 'running', 5)).toBe('resume')
    expect(news(job(), 'cancelled', 5)).toBe('cancel')
    expect(news(job(), 'running', 5)).toBeUndefined()
  })

  it('is not moved by news from before what was wished here', () => {
    expect(news(job({ isPaused: true, heardAt: 5 }), 'running', 5)).toBeUndefined()
    expect(news(job({ isPaused: true, heardAt: 5 }), 'running', 6)).toBe('resume')
    expect(news(job({ isWishing: true }), 'paused', 9)).toBeUndefined()
  })

  it('gives way to the page that took it over, unless that was before this page did', () => {
    expect(news(job(), 'running', 5, 'there')).toBe('lose')
    expect(news(job({ heardAt: 5 }), 'running', 5, 'there')).toBeUndefined()
  })

  it('is not given up by what is still heard of the page before, until this one has taken it over', () => {
    const taking = job()
    takeUp(taking, 'a')
    expect(news(taking, 'running', 9, 'there')).toBeUndefined()
    taking.heardAt = 10
    expect(news(taking, 'running', 11, 'there')).toBe('lose')
  })

  it('stays over once it is', () => {
    const finished = Object.assign(job(), { completed: 1 })
    expect(news(finished, 'cancelled', 9)).toBeUndefined()
  })
})
