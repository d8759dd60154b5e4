import { expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

it('a socket may burst 500 requests, then 200 a second', () => {
  let now = 0
  const limit = createRateLimit(() => now)
  const admitted = (tries: number) => Array.from({ length: tries }, () => limit.admits()).filter(Boolean).length
  expect(admitted(600)).toBe(500)
  now += 1_000
  expect(admitted(600)).toBe(200)
})
