import { fakeClock } from '@godwit/base'
import { beforeEach, describe, expect, it } from 'vitest'
import type { QueueItem } from './queue.ts'
import { AGAIN_MAX_MS, AGAIN_MS, Rests } from './rests.ts'

const itemOf = (id: number, server: string): QueueItem => ({ id, server, account: 'mei' }) as QueueItem
const OFFICE = [1, 2, 3].map((id) => itemOf(id, 'https://office'))
const HOME = [4, 5].map((id) => itemOf(id, 'https://home'))
const [first, second] = OFFICE as [QueueItem, QueueItem]

describe('an account whose transfers cannot go', () => {
  let clock = fakeClock()
  let rests = new Rests(clock)
  beforeEach(() => {
    clock = fakeClock()
    rests = new Rests(clock)
  })
  const due = (): readonly number[] => rests.due([...OFFICE, ...HOME]).map(({ id }) => id)
  /** How long the account rests after one more failure. */
  const restAfter = (outcome: 'away' | 'signed-out'): number => {
    rests.note(first, outcome)
    for (let ms = 0; ; ms += AGAIN_MS, clock.advance(AGAIN_MS)) if (due().includes(first.id)) return ms
  }

  it('rests with all of them, while others have their turns', () => {
    rests.note(first, 'away')
    expect(due()).toEqual([4, 5])
    clock.advance(AGAIN_MS)
    expect(due()).toEqual([2, 3, 4, 5, 1])
  })

  it('rests longer with each failure in a row, up to 2 minutes', () => {
    const rested = Array.from({ length: 6 }, () => restAfter('away') / 1000)
    expect(rested).toEqual([10, 20, 40, 80, AGAIN_MAX_MS / 1000, 120])
    rests.reached(first)
    expect(restAfter('away')).toBe(AGAIN_MS)
  })

  it('counts two failures at once as one', () => {
    for (const item of [first, second]) rests.note(item, 'away')
    clock.advance(AGAIN_MS)
    expect(due()).toEqual([3, 4, 5, 1, 2])
  })

  it('rests no longer while nobody is signed in: a sign-in is noticed soon', () => {
    expect([restAfter('signed-out'), restAfter('signed-out'), restAfter('signed-out')]).toEqual(Array(3).fill(AGAIN_MS))
  })

  it('is tried at once, in its own order, when its server is back or somebody asks for it', () => {
    rests.note(first, 'away')
    rests.forget(first)
    expect(due()).toEqual([1, 2, 3, 4, 5])
    rests.note(first, 'away')
    rests.forgetAll()
    expect(due()).toEqual([1, 2, 3, 4, 5])
  })

  it('goes on with the others when one alone has to wait', () => {
    rests.note(first, 'later')
    expect(due()).toEqual([2, 3, 4, 5])
    clock.advance(AGAIN_MS)
    expect(due()).toEqual([2, 3, 4, 5, 1])
    rests.note(first, 'stopped')
    expect(due()).toEqual([1, 2, 3, 4, 5])
  })
})
