import type { Clock } from '@godwit/base'
import { periodsIn } from '@godwit/contract'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Log } from '../../kernel/context.ts'
import { SPEED_SETTINGS } from './speed.settings.ts'
import type { SpeedRules } from './speed.policy.ts'

export interface SiteSpeedsDeps {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly settings: Settings
  readonly log: Pick<Log, 'warn'>
}

/** Every piece of every transfer asks, and a change is to hold soon. */
const LOOK_EVERY_MS = 250

/**
 * The rules of the site as they were at the last look. A call looks again when that is a while ago.
 * @param onChange before other rules hold
 */
export function watchSiteSpeeds({ clock, settings, log }: SiteSpeedsDeps, onChange: () => void): () => SpeedRules {
  let known: SpeedRules = { uploadMbps: 0, downloadMbps: 0, periods: [] }
  let lookAt = 0

  async function look(): Promise<void> {
    const values = await settings.of(SPEED_SETTINGS)
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
    if (clock.monotonic() >= lookAt) {
      lookAt = clock.monotonic() + LOOK_EVERY_MS
      look().catch((thrown: unknown) => log.warn({ err: thrown }, 'the speed limits of the site were not read'))
    }
    return known
  }
}
