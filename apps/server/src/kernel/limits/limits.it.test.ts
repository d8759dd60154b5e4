import { setTimeout as pause } from 'node:timers/promises'
import { fakeClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BACKENDS, type Nodes } from '../../testing/shared-states.ts'
import { createLimits, createMemoryCounts } from './index.ts'

const RULE = { name: 'looks', calls: 3, periodMs: 60_000 }

for (const { name, isShared, open } of BACKENDS) {
  describe(`limits on calls in ${name}`, () => {
    let nodes: Nodes
    beforeEach(async () => void (nodes = await open()))
    afterEach(async () => nodes[Symbol.asyncDispose]())

    const both = async () => {
      const here = await nodes.add()
      return [here, isShared ? await nodes.add() : here] as const
    }

    it('count over all nodes, for each caller and rule apart, however many come at once', async () => {
      const [here, there] = await both()
      const limits = [here, there].map(({ limits }) => limits.callLimit(RULE))
      const calls = Array.from({ length: 20 }, (_, at) => Promise.resolve(limits[at % 2]?.take('mei')))
      const outcomes = await Promise.allSettled(calls)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
      const refusal = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as unknown
      expect(refusal).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
      const { retryAfterSeconds } = (refusal as { details: { retryAfterSeconds: number } }).details
      expect(retryAfterSeconds).toBeGreaterThan(50)
      expect(retryAfterSeconds).toBeLessThanOrEqual(60)
      await limits[0]?.take('tom')
      await there.limits.callLimit({ ...RULE, name: 'others' }).take('mei')
    })

    it('begin again when the period is over', async () => {
      const [here, there] = await both()
      const rule = { name: 'short', calls: 1, periodMs: 400 }
      await here.limits.callLimit(rule).take('mei')
      await expect(there.limits.callLimit(rule).take('mei')).rejects.toMatchObject({
        details: { retryAfterSeconds: 1 },
      })
      await pause(450)
      await here.sweep()
      await there.limits.callLimit(rule).take('mei')
      await expect(here.limits.callLimit(rule).take('mei')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    })
  })
}

describe('limits on calls in the memory of one process', () => {
  it('say how long to wait, and remember a bounded number of callers', async () => {
    const clock = fakeClock()
    const limit = createLimits(createMemoryCounts(clock)).callLimit({ ...RULE, calls: 1 })
    await limit.take('first')
    clock.advance(30_000)
    await expect(limit.take('first')).rejects.toMatchObject({ details: { retryAfterSeconds: 30 } })
    for (let caller = 0; caller < 20_000; caller++) await limit.take(`caller ${caller}`)
    await limit.take('first')
    await expect(limit.take('caller 19999')).rejects.toThrow('RATE_LIMITED')
  })
})
