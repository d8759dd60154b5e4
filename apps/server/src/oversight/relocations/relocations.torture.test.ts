import { expect, it } from 'vitest'
import { pointsAroundChanges } from '../../content/recycle/testing/kill-switch.ts'
import { PAIRS } from '../../content/files/jobs/testing/two-storages.ts'
import { MoveSite } from './testing/move-site.ts'

/** Between folders at every call; with a bucket, where each turn takes seconds, just before and after each change of a storage. */
it.each(PAIRS)(
  'a home between $name moves whole, wherever it is killed',
  async (pair) => {
    await using site = await MoveSite.open(pair)
    const { calls } = await site.turn()
    let kills = 0
    const isLocal = pair.from === 'local' && pair.to === 'local'
    for (const point of isLocal ? calls.keys() : pointsAroundChanges(calls)) {
      const turn = await site.turn(point)
      if (turn.wasKilled) kills++
      expect({ point, faults: turn.faults }).toEqual({ point, faults: [] })
    }
    expect(kills).toBeGreaterThan(isLocal ? 100 : 30)
  },
  3_600_000,
)
