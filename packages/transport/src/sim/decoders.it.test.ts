import { describe, expect, it } from 'vitest'
import { newDice } from './dice.ts'
import { fuzzFrames, fuzzHeader, type FuzzTarget, newInputs, newSessionTarget } from './fuzz-targets.ts'

const INPUTS = 1_000_000
/** A session costs forty times a decoder; its full count is in `npm run fuzz`. */
const SESSION_INPUTS = 100_000
/** A decoder that is slower on some input would let one packet stall every session of the process. */
const MAX_MS_PER_INPUT = 10

describe('a million inputs for each decoder', () => {
  const targets: ReadonlyArray<readonly [string, FuzzTarget, number]> = [
    ['packet headers', fuzzHeader, INPUTS],
    ['frames', fuzzFrames, INPUTS],
    ['a live session', newSessionTarget(1), SESSION_INPUTS],
  ]
  it.each(targets)('%s: nothing escapes, 10 ms at most on average of a thousand', (_name, target, inputs) => {
    const next = newInputs(newDice(20_27))
    for (let batch = 0; batch < inputs / 1000; batch++) {
      const startedAt = performance.now()
      for (let count = 0; count < 1000; count++) target(next())
      expect(performance.now() - startedAt).toBeLessThan(MAX_MS_PER_INPUT * 1000)
    }
  })
})
