import { expect, it } from 'vitest'
import { hostileCampaign, ONE_BY_ONE } from './testing/hostile-campaign.ts'

const HOUR_MS = 3_600_000

it(
  'row 29: a server of 512 MiB outlives an hour of hostile callers of every kind',
  { timeout: 2 * HOUR_MS },
  async ({ annotate }) => {
    const groupMs = Math.ceil(HOUR_MS / ONE_BY_ONE.length)
    const result = await hostileCampaign({ groups: ONE_BY_ONE, groupMs, report: (line) => annotate(line) })
    await annotate(`at most ${result.peakMiB} MiB of 512; ${result.deafProbes} probes unanswered`)
    expect(result).toMatchObject({ oomKills: 0, deafProbes: 0, servesAfterwards: true })
    expect(result.peakMiB).toBeLessThanOrEqual(512)
  },
)
