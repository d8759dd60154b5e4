import { MiB, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { killRound } from '../testing/kill-rounds.ts'

describe('a transfer whose sides are killed at random', () => {
  it('ends with the file intact, nothing left over and at most 16 MiB sent again for each kill', async () => {
    const report = await killRound(seededRandom(7), 3)
    expect(report.isIntact).toBe(true)
    expect(report.leftovers).toEqual([])
    expect(report.repeatedPerKill).toBeLessThan(16 * MiB)
    expect(report.kills).toBeGreaterThan(0)
  })
})
