import { expect, it } from 'vitest'
import { fuzzResets } from '../../testing/reset-fuzz.ts'

it('the doors of a forgotten password give nothing to 100,000 tries without the code (T19)', async () => {
  expect(await fuzzResets(100_000)).toEqual({ tokens: 0, changes: 0 })
})
