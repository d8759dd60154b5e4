import { routes } from '@godwit/contract/table'
import { describe, expect, it } from 'vitest'
import { createJob } from './upload-job.ts'
import { type ReportsDeps, UploadReports } from './upload-reports.ts'

describe('pausing and resuming', () => {
  it('are reported one after the other, and the last one holds', async () => {
    const asked: Array<{ readonly path: string; readonly answer: (reply: unknown) => void }> = []
    const call = (route: { readonly path: string }) =>
      new Promise<unknown>((answer) => void asked.push({ path: route.path, answer }))
    const reports = new UploadReports({ api: { call } } as unknown as ReportsDeps)
    const job = createJob({
      ...{ id: 1, name: 'a', isGroup: false, folder: '/', place: { spaceId: 1, groupId: 0 }, emptyFolders: [] },
      sources: [{ file: { size: 10, lastModified: 0 } as File, relativePath: 'a' }],
      addedAt: 0,
    })
    job.transferId = 'one'

    job.isPaused = true
    const reported = reports.wish(job)
    for (const isPaused of [false, true, false]) {
      job.isPaused = isPaused
      await reports.wish(job)
    }
    expect(asked.map(({ path }) => path)).toEqual([routes.transfers.pause.path])
    asked[0]?.answer({ transfer: { updatedAt: 5 } })
    await expect.poll(() => asked.length).toBe(2)
    expect(asked[1]?.path).toBe(routes.transfers.resume.path)
    expect(job.isWishing).toBe(true)
    asked[1]?.answer({ transfer: { updatedAt: 6 } })
    await reported
    expect([job.heardAt, job.isWishing]).toEqual([6, undefined])
  })
})
