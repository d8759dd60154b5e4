import type { Clock } from '@godwit/base'
import {
  defaultSiteSettings,
  isSiteSetting,
  SITE_SETTINGS,
  type SiteSettingName,
  type SiteSettings,
} from '@godwit/contract'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { settingsStore } from './settings.store.ts'

export interface SettingsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/** The settings of the site: what features ask for their switches, and what operators change. */
export interface Settings {
  /** All of them, at most a second old. */
  current(): Promise<SiteSettings>
  /**
   * @param value as typed on a command line, or as JSON has it
   * @throws AppError PARAMETER_INVALID with the rule, TCP_DELAY_REQUIRED
   */
  set(name: SiteSettingName, value: unknown): Promise<SiteSettings>
  /** Back to the default. @throws AppError TCP_DELAY_REQUIRED */
  reset(name: SiteSettingName): Promise<SiteSettings>
}

/** Another process's change is seen at the latest after this long. */
const CACHE_MS = 1_000

export function createSettings(deps: SettingsDeps): Settings {
  let known: { readonly settings: SiteSettings; readonly until: number } | undefined

  async function load(): Promise<SiteSettings> {
    const stored: Record<string, unknown> = {}
    for (const { name, value } of await settingsStore.all(deps.db)) {
      // A name of a later or an earlier version is left alone.
      if (!isSiteSetting(name)) continue
      const parsed = SITE_SETTINGS[name].schema.safeParse(JSON.parse(value))
      if (parsed.success) stored[name] = parsed.data
      else deps.log.warn({ setting: name }, 'a stored setting breaks its rule; its default is used')
    }
    return { ...defaultSiteSettings(), ...stored }
  }

  async function fresh(): Promise<SiteSettings> {
    const settings = await load()
    known = { settings, until: deps.clock.monotonic() + CACHE_MS }
    return settings
  }

  return {
    current: async () => (known !== undefined && known.until > deps.clock.monotonic() ? known.settings : fresh()),
    async set(name, value) {
      const parsed = SITE_SETTINGS[name].schema.safeParse(value)
      if (!parsed.success) {
        throw new AppError('PARAMETER_INVALID', { field: name, rule: parsed.error.issues[0]?.message ?? '' })
      }
      requireConsistent({ ...(await load()), [name]: parsed.data })
      await settingsStore.put(deps.db, { name, value: JSON.stringify(parsed.data) })
      return fresh()
    },
    async reset(name) {
      requireConsistent({ ...(await load()), [name]: SITE_SETTINGS[name].schema.parse(undefined) })
      await settingsStore.remove(deps.db, name)
      return fresh()
    },
  }
}

/** @throws AppError TCP_DELAY_REQUIRED: without a delay nobody could tell when TCP is meant */
function requireConsistent({ tcpEnable, tcpDelay }: SiteSettings): void {
  if (tcpEnable === 1 && tcpDelay === 0) throw new AppError('TCP_DELAY_REQUIRED', { field: 'tcpDelay' })
}
