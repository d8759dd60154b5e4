import { expect, it } from 'vitest'
import { rightsCampaign } from './testing/rights-campaign.ts'

const ATTEMPTS = Number(process.env['ATTEMPTS'] ?? 1_000_000)
/** Of one server with people of its own. */
const ROUND = 5_000

it(`${ATTEMPTS} attempts through every door against a second implementation of the rules`, async ({ annotate }) => {
  const first = Date.now() % 1_000_000
  const faults: string[] = []
  let [attempts, changes, refusals] = [0, 0, 0]
  for (let round = 0; attempts < ATTEMPTS; round++) {
    const result = await rightsCampaign(first + round, 20, Math.min(ROUND, ATTEMPTS - attempts))
    faults.push(...result.faults)
    attempts += result.attempts
    changes += result.changes
    refusals += result.refusals
    if (faults.length > 0) break
  }
  await annotate(`from seed ${first}: ${attempts} attempts, ${changes} changes, ${refusals} refusals`)
  expect(faults.join('\n')).toBe('')
})
