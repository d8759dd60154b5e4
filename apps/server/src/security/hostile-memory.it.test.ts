import { expect, it } from 'vitest'
import { ALL_TOGETHER, hostileCampaign } from './testing/hostile-campaign.ts'

it('row 29: a server of 512 MiB outlives hostile callers of every kind at once, and serves others after them', async ({
  annotate,
}) => {
  const result = await hostileCampaign({ groups: ALL_TOGETHER, groupMs: 10_000, report: (line) => annotate(line) })
  await annotate(`at most ${result.peakMiB} MiB of 512; ${result.deafProbes} probes unanswered`)
  expect(result).toMatchObject({ oomKills: 0, servesAfterwards: true })
  expect(result.peakMiB).toBeLessThanOrEqual(512)
})
