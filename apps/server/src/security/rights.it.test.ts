import { expect, it } from 'vitest'
import { rightsCampaign } from './testing/rights-campaign.ts'

it('people of random rights learn of nothing hidden and change nothing beyond their rights, through any door', async ({
  annotate,
}) => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  const { attempts, changes, refusals, faults } = await rightsCampaign(seed, 6, 600)
  await annotate(`seed ${seed}: ${attempts} attempts, ${changes} changes, ${refusals} refusals`)
  expect(faults).toEqual([])
  // A campaign in which everything is refused, or nothing, would prove nothing. Of few people with random rights one may do little.
  expect(changes).toBeGreaterThan(attempts / 100)
  expect(refusals).toBeGreaterThan(attempts / 100)
})
