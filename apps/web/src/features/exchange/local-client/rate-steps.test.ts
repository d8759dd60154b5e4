import { describe, expect, it } from 'vitest'
import { RATE_STEPS, rateAt, stepOf } from './rate-steps.ts'

describe('the slider of the bandwidth', () => {
  it('stands where its rate is, and behind the last one without a limit', () => {
    for (const [step, rate] of RATE_STEPS.entries()) expect([rateAt(step), stepOf(rate)]).toEqual([rate, step])
    expect([rateAt(RATE_STEPS.length), stepOf(0)]).toEqual([0, RATE_STEPS.length])
  })

  it('stands near a rate that it does not have', () => {
    expect([stepOf(0.5), stepOf(30), stepOf(50_000)]).toEqual([0, 5, RATE_STEPS.length - 1])
  })
})
