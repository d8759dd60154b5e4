import { describe, expect, it } from 'vitest'
import { createRateMeter } from './rate-meter.ts'

/** Feeds the meter every 250 ms. @param rateAt bytes a second at a time in ms */
function run(rateAt: (ms: number) => number, untilMs: number) {
  const meter = createRateMeter()
  const rates: Array<number | undefined> = []
  let bytes = 0
  for (let ms = 0; ms <= untilMs; ms += 250) {
    meter.sample(bytes, ms)
    rates.push(meter.rate())
    bytes += rateAt(ms) / 4
  }
  return { meter, rates, bytes }
}

const LINK = 1_250_000

describe('speed and time left', () => {
  it('are unknown in the first two seconds', () => {
    expect(run(() => LINK, 1_750).rates.every((rate) => rate === undefined)).toBe(true)
  })

  it('are right within 10 % after five seconds of 10 Mbps', () => {
    const { meter } = run(() => LINK, 5_000)
    expect(Math.abs((meter.left(LINK * 60) ?? 0) - 60)).toBeLessThan(6)
  })

  it('never jump to more than the double on a line that stutters', () => {
    const { rates } = run((ms) => (ms % 1000 < 500 ? LINK * 1.8 : LINK * 0.2), 30_000)
    const known = rates.filter((rate) => rate !== undefined)
    for (const [at, rate] of known.slice(1).entries()) {
      expect(Math.max(rate, known[at] ?? rate) / Math.min(rate, known[at] ?? rate)).toBeLessThan(2)
    }
  })

  it('follow a real change within some seconds', () => {
    const { meter } = run((ms) => (ms < 10_000 ? LINK : LINK / 4), 22_000)
    expect(meter.rate()).toBeLessThan(LINK / 3)
  })

  it('begin anew after a pause', () => {
    const { meter } = run(() => LINK, 5_000)
    meter.reset()
    expect(meter.rate()).toBeUndefined()
  })
})
