import { expect, it } from 'vitest'
import { DATABASES } from '../../testing/worlds.ts'
import { ATTACKED, KillCampaign } from './testing/kill-campaign.ts'

it.each(DATABASES)(
  'killed at every call to database and storage of every change, on $dialect',
  async ({ open }) => {
    await using campaign = await KillCampaign.open(await open())
    let all = 0
    for (const attacked of ATTACKED) {
      const { kills, faults } = await campaign.attack(attacked, 'every')
      expect(faults).toEqual([])
      all += kills
    }
    expect(all).toBeGreaterThan(200)
  },
  3_600_000,
)
