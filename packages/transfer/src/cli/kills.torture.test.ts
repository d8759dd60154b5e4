import { MiB, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { killRound } from '../testing/kill-rounds.ts'

const KILLS = 1000
const KILLS_A_ROUND = 5

describe('1,000 random kills of either side', () => {
  it('leave no corrupt file and at most 16 MiB sent again for each kill', async () => {
    for (let done = 0, seed = 1; done < KILLS; seed++) {
      const report = await killRound(seededRandom(seed), KILLS_A_ROUND)
      expect({ seed, isIntact: report.isIntact, leftovers: report.leftovers }).toEqual({
        seed,
        isIntact: true,
        leftovers: [],
      })
      expect(report.repeatedPerKill, `seed ${seed}`).toBeLessThan(16 * MiB)
      done += report.kills
    }
  })
})
