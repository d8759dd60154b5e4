import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ONE_STORAGE, PAIRS } from '../files/jobs/testing/two-storages.ts'
import { BETWEEN, CutShort, WITHIN } from './testing/cut-short.ts'

/** Each kill costs a whole turn: `npm run torture -- undo.cuts` makes all of them, and between two storages. */
const EVERY = 9

describe(`a server that is killed, between ${ONE_STORAGE.name}`, () => {
  let cuts: CutShort
  beforeAll(async () => {
    cuts = await CutShort.open(ONE_STORAGE)
  }, 60_000)
  afterAll(async () => cuts[Symbol.asyncDispose]())

  it.each([...BETWEEN, ...WITHIN])(
    'in the middle of the %s of %j, has all where it was after the undo',
    async (phase, work) => {
      const { kills, faults } = await cuts.run(phase, work, EVERY)
      expect(faults).toEqual([])
      expect(kills).toBeGreaterThan(1)
    },
  )
})

describe(`a server that is killed, between ${PAIRS[0].name}`, () => {
  it.each(BETWEEN.filter(([phase]) => phase === 'transfer'))(
    'while the %s of %j puts aside what it replaces, has all where it was after the undo',
    async (phase, work) => {
      await using cuts = await CutShort.open(PAIRS[0])
      const { kills, faults } = await cuts.runAt(phase, work, 'move')
      expect(faults).toEqual([])
      expect(kills).toBeGreaterThan(0)
    },
    60_000,
  )
})
