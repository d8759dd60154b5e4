import { describe, expect, it } from 'vitest'
import { newDice } from './dice.ts'
import { fuzzFrames, fuzzHeader, type FuzzTarget, newInputs, newSessionTarget } from './fuzz-targets.ts'

const INPUTS = 20_000

describe('decoders refuse every input with a typed error, or take it', () => {
  const targets: ReadonlyArray<readonly [string, FuzzTarget]> = [
    ['packet headers', fuzzHeader],
    ['frames', fuzzFrames],
    ['a live session', newSessionTarget(1)],
  ]
  it.each(targets)('%s', (_name, target) => {
    const next = newInputs(newDice(20_26))
    for (let count = 0; count < INPUTS; count++) target(next())
    expect.assertions(0)
  })
})
