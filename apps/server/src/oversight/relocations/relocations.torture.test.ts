import { expect, it } from 'vitest'
import { PAIRS } from '../../content/files/jobs/testing/two-storages.ts'
import { MoveSite } from './testing/move-site.ts'

it.each(PAIRS)(
  'a home between $name moves whole, killed at every call to database and storages',
  async (pair) => {
    await using site = await MoveSite.open(pair)
    const { calls } = await site.turn()
    let kills = 0
    for (const point of calls.keys()) {
      const turn = await site.turn(point)
      if (turn.wasKilled) kills++
      expect({ point, faults: turn.faults }).toEqual({ point, faults: [] })
    }
    expect(kills).toBeGreaterThan(100)
  },
  3_600_000,
)
