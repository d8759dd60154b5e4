import { describe, expect, it } from 'vitest'
import { newDice } from './dice.ts'
import { fuzzFrames, fuzzHeader, type FuzzTarget, newInputs, newSessionTarget } from './fuzz-targets.ts'

const INPUTS = 100_000_000

describe('a hundred million inputs for each decoder', () => {
  const targets: ReadonlyArray<readonly [string, FuzzTarget]> = [
    ['packet headers', fuzzHeader],
    ['frames', fuzzFrames],
    ['a live session', newSessionTarget(1)],
  ]
  it.each(targets)('%s', (_name, target) => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const next = newInputs(newDice(seed))
    let count = 0
    const feed = (): void => {
      for (; count < INPUTS; count++) target(next())
    }
    expect(feed, `seed ${seed}`).not.toThrow()
  })
})
