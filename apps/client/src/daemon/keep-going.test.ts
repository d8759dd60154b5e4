import { describe, expect, it } from 'vitest'
import { keepGoing } from './keep-going.ts'

describe('work that lasts until the client is stopped', () => {
  it('begins again after a failure, which is reported once while it stays the same', async () => {
    const stop = new AbortController()
    const reported: string[] = []
    const failures = ['full', 'full', 'locked', 'locked']
    await keepGoing(
      async () => {
        const message = failures.shift()
        if (message !== undefined) throw new Error(message)
        // As work ends that is stopped.
        stop.abort()
      },
      { signal: stop.signal, pauseMs: 0, failed: (thrown) => reported.push((thrown as Error).message) },
    )
    expect([failures, reported]).toEqual([[], ['full', 'locked']])
  })

  it('ends when it is stopped, also in a pause', async () => {
    const stop = new AbortController()
    let begun = 0
    await keepGoing(
      async () => {
        begun += 1
        throw new Error('full')
      },
      { signal: stop.signal, pauseMs: 3_600_000, failed: () => setImmediate(() => stop.abort()) },
    )
    expect(begun).toBe(1)
  })
})
