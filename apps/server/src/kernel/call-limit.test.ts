import { fakeClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { createCallLimit } from './call-limit.ts'

describe('a limit on calls', () => {
  it('lets as many through in a period as it says, for each caller apart', () => {
    const clock = fakeClock()
    const limit = createCallLimit(clock, { calls: 3, periodMs: 60_000 })
    for (let call = 0; call < 3; call++) limit.take('mei')
    clock.advance(30_000)
    expect(() => limit.take('mei')).toThrow(expect.objectContaining({ details: { retryAfterSeconds: 30 } }))
    limit.take('tom')
    clock.advance(30_000)
    limit.take('mei')
  })
  it('remembers a bounded number of callers', () => {
    const limit = createCallLimit(fakeClock(), { calls: 1, periodMs: 60_000 })
    limit.take('first')
    for (let caller = 0; caller < 20_000; caller++) limit.take(`caller ${caller}`)
    limit.take('first')
    expect(() => limit.take('caller 19999')).toThrow('RATE_LIMITED')
  })
})
