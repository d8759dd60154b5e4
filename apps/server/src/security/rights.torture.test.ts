import { expect, it } from 'vitest'
import { rightsCampaign } from './testing/rights-campaign.ts'

/** With `SEED` the same attempts come again, in the same order. A folder for temporary files in memory (`TMPDIR`) makes it a little quicker. */
const ATTEMPTS = Number(process.env['ATTEMPTS'] ?? 1_000_000)
/** Of one server with people of its own. */
const SERVER = 20_000
const TIMEOUT_MS = 36_000_000

it(
  `${ATTEMPTS} attempts through every door against a second implementation of the rules`,
  { timeout: TIMEOUT_MS },
  async () => {
    const first = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const begun = performance.now()
    const faults: string[] = []
    let [attempts, changes, refusals] = [0, 0, 0]
    for (let round = 0; attempts < ATTEMPTS && faults.length === 0; round++) {
      const result = await rightsCampaign(first + round, 20, Math.min(SERVER, ATTEMPTS - attempts))
      faults.push(...result.faults)
      attempts += result.attempts
      changes += result.changes
      refusals += result.refusals
      const seconds = Math.round((performance.now() - begun) / 1000)
      process.stdout.write(
        `from seed ${first}: ${attempts} attempts, ${changes} changes, ${refusals} refusals, ${faults.length} faults, ${seconds} s\n`,
      )
    }
    expect(faults.join('\n')).toBe('')
  },
)
