import { describe, expect, it } from 'vitest'
import { UploadBoard } from './upload-board.ts'
import { createJob, setItemSent, setItemStanding, setItemState, type UploadItem, type UploadJob } from './upload-job.ts'

const MiB = 1024 * 1024

function jobOf(bytes: number): { readonly job: UploadJob; readonly item: UploadItem } {
  const file = { size: bytes, lastModified: 0 } as File
  const sources = [{ file, relativePath: 'film.mov' }]
  const place = { spaceId: 1, groupId: 0 }
  const facts = { id: 1, name: 'film.mov', isGroup: false, folder: '/', emptyFolders: [], addedAt: 0 }
  const job = createJob({ ...facts, place, sources })
  job.isScanning = false
  const [item] = job.items
  if (item === undefined) throw new Error('a job without items')
  setItemState(job, item, 'active')
  return { job, item }
}

/** A board with one job whose bytes the test moves, a second at a time. */
function boardOf(bytes: number) {
  let nowMs = 0
  const { job, item } = jobOf(bytes)
  const jobs = [job]
  const clock = { now: () => nowMs, monotonic: () => nowMs } as ConstructorParameters<typeof UploadBoard>[0]
  const board = new UploadBoard(clock, () => ({ jobs, ghosts: [], isOffline: false }))
  const show = () => {
    board.touch(job)
    board.show()
    return board.view.get()
  }
  const sendFor = (seconds: number, bytesPerSecond: number) => {
    for (let second = 0; second < seconds; second += 1) {
      nowMs += 1_000
      setItemSent(job, item, item.sent + bytesPerSecond)
      show()
    }
  }
  show()
  return { jobs, job, item, show, sendFor }
}

describe('the rates of uploads', () => {
  it('leave out what the server has already when an upload is taken up again', () => {
    const { job, item, show, sendFor } = boardOf(1_000 * MiB)
    setItemStanding(job, item, 600 * MiB)
    sendFor(6, MiB)
    expect(show().totals.rate).toBeCloseTo(MiB, 0)
    expect(show().jobs[0]?.rate).toBeCloseTo(MiB, 0)
  })

  it('leave out what must be sent again, and are not moved by a row that is taken off', () => {
    const { jobs, job, item, show, sendFor } = boardOf(1_000 * MiB)
    sendFor(6, 8 * MiB)
    setItemStanding(job, item, 20 * MiB)
    sendFor(6, 8 * MiB)
    expect(show().totals.rate).toBeCloseTo(8 * MiB, 0)
    const other = jobOf(10 * MiB)
    setItemSent(other.job, other.item, 10 * MiB)
    jobs.push(other.job)
    setItemState(other.job, other.item, 'completed')
    show()
    const before = show().totals.rate
    jobs.pop()
    expect(show().totals.rate).toBe(before)
  })
})

describe('the shown progress', () => {
  it('never goes back when a part must be sent again', () => {
    const { job, item, show, sendFor } = boardOf(100 * MiB)
    sendFor(5, 10 * MiB)
    setItemStanding(job, item, 32 * MiB)
    expect([show().totals.sent, show().jobs[0]?.sent]).toEqual([50 * MiB, 50 * MiB])
    sendFor(3, 10 * MiB)
    expect(show().totals.sent).toBe(62 * MiB)
  })
})
