import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ONE_STORAGE, PAIRS } from '../files/jobs/testing/two-storages.ts'
import { BETWEEN, CutShort, WITHIN } from './testing/cut-short.ts'

const WORLDS = [ONE_STORAGE, ...PAIRS.slice(0, 3)]
const EVERY = 1

describe.each(WORLDS)('a server that is killed, between $name', (pair) => {
  let cuts: CutShort
  beforeAll(async () => {
    cuts = await CutShort.open(pair)
  }, 60_000)
  afterAll(async () => cuts[Symbol.asyncDispose]())

  it.each(pair === ONE_STORAGE ? [...BETWEEN, ...WITHIN] : BETWEEN)(
    'in the middle of the %s of %j, has all where it was after the undo',
    async (phase, work) => {
      const { kills, faults } = await cuts.run(phase, work, EVERY)
      expect(faults).toEqual([])
      expect(kills).toBeGreaterThan(9)
    },
  )
})
