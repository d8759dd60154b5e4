import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../testing/worlds.ts'
import { ATTACKED, KillCampaign } from './testing/kill-campaign.ts'

for (const { dialect, open } of DATABASES) {
  describe(`a server that is killed around each change of its storage, on ${dialect}`, () => {
    let campaign: KillCampaign
    beforeAll(async () => (campaign = await KillCampaign.open(await open())))
    afterAll(async () => campaign[Symbol.asyncDispose]())

    it.each(ATTACKED)('has database, disk, quota and events in step after a $name', async (attacked) => {
      const { kills, faults } = await campaign.attack(attacked, 'around changes')
      expect(faults).toEqual([])
      expect(kills).toBeGreaterThan(0)
    })
  })
}
