import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSchedule, type Schedule, type ScheduleDeps } from './schedule.ts'

describe('periodic work', () => {
  const logged: unknown[] = []
  let schedule: Schedule | undefined
  beforeEach(() => {
    vi.useFakeTimers()
    logged.length = 0
  })
  afterEach(async () => {
    await schedule?.stop()
    vi.useRealTimers()
  })

  function open(deps: Partial<ScheduleDeps> = {}): Schedule {
    schedule = createSchedule({ log: { error: (fields, message) => void logged.push([fields, message]) }, ...deps })
    return schedule
  }

  it('is done once a period, from the start on', async () => {
    let runs = 0
    open().add({ name: 'a', everyMs: 100, work: () => Promise.resolve(runs++) })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(runs).toBe(0)
    schedule?.start()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(runs).toBe(10)
  })

  it('that fails is logged by its name and done again', async () => {
    const thrown = new Error('no database')
    let runs = 0
    open().add({ name: 'sweep', everyMs: 100, work: () => (++runs === 1 ? Promise.reject(thrown) : Promise.resolve()) })
    schedule?.start()
    await vi.advanceTimersByTimeAsync(300)
    expect(runs).toBe(3)
    expect(logged).toEqual([[{ err: thrown, work: 'sweep' }, 'periodic work failed']])
  })

  it('never overlaps itself, and delays nobody else', async () => {
    const slow = Promise.withResolvers<void>()
    const runs = { slow: 0, other: 0 }
    open().add({
      name: 'slow',
      everyMs: 100,
      async work() {
        runs.slow++
        await slow.promise
      },
    })
    schedule?.add({ name: 'other', everyMs: 100, work: () => Promise.resolve(runs.other++) })
    schedule?.start()
    await vi.advanceTimersByTimeAsync(500)
    expect(runs).toEqual({ slow: 1, other: 5 })
    slow.resolve()
    await vi.advanceTimersByTimeAsync(200)
    expect(runs.slow).toBe(3)
  })

  it('is asked to stop, waited for, and not begun again', async () => {
    const events: string[] = []
    open().add({
      name: 'long',
      everyMs: 100,
      async work(signal) {
        const stopped = Promise.withResolvers<void>()
        signal.addEventListener('abort', () => setTimeout(() => stopped.resolve(), 50))
        await stopped.promise
        events.push('work ended')
      },
    })
    schedule?.start()
    await vi.advanceTimersByTimeAsync(100)
    const stop = schedule?.stop().then(() => events.push('stopped'))
    await vi.advanceTimersByTimeAsync(500)
    await stop
    expect(events).toEqual(['work ended', 'stopped'])
  })

  it('for one node asks whether it is this one', async () => {
    const asked: string[] = []
    let runs = 0
    open({ onOneNode: (name) => Promise.resolve(asked.push(name)) })
    schedule?.add({ name: 'shared', everyMs: 100, onOneNode: true, work: () => Promise.resolve(runs++) })
    schedule?.add({ name: 'own', everyMs: 100, work: () => Promise.resolve(runs++) })
    schedule?.start()
    await vi.advanceTimersByTimeAsync(100)
    expect([asked, runs]).toEqual([['shared'], 1])
  })

  it('has one name each', () => {
    open().add({ name: 'a', everyMs: 1, work: () => Promise.resolve() })
    expect(() => schedule?.add({ name: 'a', everyMs: 1, work: () => Promise.resolve() })).toThrow('declared twice')
  })
})
