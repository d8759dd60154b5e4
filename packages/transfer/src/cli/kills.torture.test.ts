import { MiB, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { killRound } from '../testing/kill-rounds.ts'

const KILLS = 1000
const KILLS_A_ROUND = 5

describe('1,000 random kills of either side', () => {
  it('leave no corrupt file and at most 16 MiB sent again for each kill', async ({ annotate }) => {
    let most = 0
    let done = 0
    for (let seed = 1; done < KILLS; seed++) {
      const report = await killRound(seededRandom(seed), KILLS_A_ROUND)
      expect({ seed, isIntact: report.isIntact, leftovers: report.leftovers }).toEqual({
        seed,
        isIntact: true,
        leftovers: [],
      })
      expect(report.repeatedPerKill, `seed ${seed}`).toBeLessThan(16 * MiB)
      most = Math.max(most, report.repeatedPerKill)
      done += report.kills
    }
    await annotate(`${done} kills; at most ${(most / MiB).toFixed(1)} MiB sent again for each, the mean of a transfer`)
  })
})
