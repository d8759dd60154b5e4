import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'
import { describe, expect, it } from 'vitest'
import { createJob } from './upload-job.ts'
import { viewOf } from './upload-views.ts'

describe('a row that waits for the next try', () => {
  const waiting = (obstacle: unknown) => {
    const place = { spaceId: 1, groupId: 0 }
    const sources = [{ file: { size: 1 } as File, relativePath: 'a' }]
    const facts = { id: 1, name: 'a', isGroup: false, folder: '/', place, sources, emptyFolders: [], addedAt: 0 }
    return Object.assign(createJob(facts), { isScanning: false, obstacle })
  }

  it('shows what the server refused for the moment, such as with a full disk', () => {
    const full = new ApiError({ code: 4009, message: '' })
    expect(viewOf(waiting(full), true)).toMatchObject({ state: 'offline', error: full })
    expect(viewOf(waiting(full), false)).toMatchObject({ state: 'waiting', error: undefined })
  })

  it('shows the lost connection when that is all', () => {
    expect(viewOf(waiting(serverUnavailable()), true)).toMatchObject({ state: 'offline', error: undefined })
  })
})
