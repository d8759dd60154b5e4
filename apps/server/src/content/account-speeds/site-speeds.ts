import type { Settings } from '../../foundation/settings/index.ts'
import type { Log } from '../../kernel/context.ts'
import { periodsIn } from './site-periods.ts'
import { SITE_SPEEDS } from './site-speeds.settings.ts'
import type { SpeedRules } from './speed.policy.ts'

export interface SiteSpeedsDeps {
  readonly settings: Settings
  readonly log: Pick<Log, 'warn'>
}

/**
 * The rules of the site as they were at the last look. Each call looks again: the settings keep what they read for a second.
 * @param onChange before other rules hold
 */
export function watchSiteSpeeds({ settings, log }: SiteSpeedsDeps, onChange: () => void): () => SpeedRules {
  let known: SpeedRules = { uploadMbps: 0, downloadMbps: 0, periods: [] }
  let isLooking = false

  async function look(): Promise<void> {
    const values = await settings.of(SITE_SPEEDS)
    const rules = {
      uploadMbps: values['transfer.uploadMbps'],
      downloadMbps: values['transfer.downloadMbps'],
      periods: periodsIn(values['transfer.periods']) ?? [],
    }
    if (JSON.stringify(rules) === JSON.stringify(known)) return
    onChange()
    known = rules
  }

  return () => {
    if (!isLooking) {
      isLooking = true
      look()
        .catch((thrown: unknown) => log.warn({ err: thrown }, 'the speed limits of the site were not read'))
        .finally(() => (isLooking = false))
    }
    return known
  }
}
