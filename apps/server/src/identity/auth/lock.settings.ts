import { whole } from '../../foundation/settings/index.ts'
import type { Config } from '../../kernel/config/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const MINUTES_MAX = 1440
const SECURITY = { tab: 'security' } as const

/** After how many wrong passwords an account is locked, and how long; the configuration of the process has the defaults. */
export function lockSettings(config: Config) {
  return defineSettings({
    'security.lockAttempts': setting(whole(3, 30).default(config['security.lockAttempts']), SECURITY),
    'security.lockMinutes': setting(
      whole(1, Math.max(MINUTES_MAX, config['security.lockMinutes'])).default(config['security.lockMinutes']),
      SECURITY,
    ),
  })
}
