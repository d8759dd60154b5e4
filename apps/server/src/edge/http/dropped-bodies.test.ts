import { once } from 'node:events'
import { Readable } from 'node:stream'
import { systemClock } from '@godwit/base'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DroppedBodies, LINGER_MS } from './dropped-bodies.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function unfinished(): Readable {
  const body = new Readable({ read: () => undefined })
  new DroppedBodies(systemClock).drop(body, () => false)
  return body
}

it('cuts a sender that still sends after the time to read its answer', () => {
  const body = unfinished()
  vi.advanceTimersByTime(LINGER_MS - 1)
  expect(body.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(body.destroyed).toBe(true)
})

it('holds nothing of a sender that has gone', async () => {
  const body = unfinished()
  expect(vi.getTimerCount()).toBe(1)
  body.destroy()
  await once(body, 'close')
  expect(vi.getTimerCount()).toBe(0)
})
