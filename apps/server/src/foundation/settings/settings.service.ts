import type { Clock } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { defaultsOf, type SettingGroup, type SettingSpecs, type ValuesOf } from '../../kernel/setting.ts'
import { placesOf, takesScope, type SettingTarget } from './settings.policy.ts'
import type { SettingValueRow } from './settings.schema.ts'
import { settingsStore } from './settings.store.ts'

export interface SettingsDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Pick<Log, 'warn'>
}

/** What features ask for their own settings. */
export interface Settings {
  /**
   * The values of a group for a target, each from the narrowest place that has one. Those of the site are at most a second
   * old.
   */
  of<Specs extends SettingSpecs>(group: SettingGroup<Specs>, target?: SettingTarget): Promise<ValuesOf<Specs>>
  /** When one of these last got another value for the whole site, in Unix milliseconds; undefined: never. */
  changedAt(names: readonly string[]): Promise<number | undefined>
  /** Reads everything anew; call it after a change. */
  forget(): void
}

/** Another process's change is seen at the latest after this long. */
const CACHE_MS = 1_000

export function createSettings({ db, clock, log }: SettingsDeps): Settings {
  let site: { readonly rows: Promise<SettingValueRow[]>; readonly until: number } | undefined

  function siteRows(): Promise<SettingValueRow[]> {
    if (site !== undefined && site.until > clock.monotonic()) return site.rows
    const rows = settingsStore.at(db, placesOf({}))
    site = { rows, until: clock.monotonic() + CACHE_MS }
    // A failure is not remembered.
    rows.catch(() => (site = undefined))
    return rows
  }

  return {
    async of(group, target = {}) {
      const narrower = placesOf(target).filter(({ scope }) => scope !== 'site')
      const rows = [...(await siteRows()), ...(narrower.length === 0 ? [] : await settingsStore.at(db, narrower))]
      return resolve({ group, rows, target }, (setting) =>
        log.warn({ setting }, 'a stored setting breaks its rule and is ignored'),
      )
    },
    changedAt: (names) => settingsStore.changedAt(db, names),
    forget: () => (site = undefined),
  }
}

export interface Resolving<Specs extends SettingSpecs> {
  readonly group: SettingGroup<Specs>
  readonly rows: readonly SettingValueRow[]
  readonly target: SettingTarget
}

/** The values in force; whatever breaks a later rule or stands where it may not is passed over. */
export function resolve<Specs extends SettingSpecs>(
  { group, rows, target }: Resolving<Specs>,
  onBroken: (name: string) => void,
): ValuesOf<Specs> {
  const values: Record<string, unknown> = { ...defaultsOf(group) }
  for (const { scope, scopeId } of placesOf(target).toReversed()) {
    for (const row of rows) {
      const spec = group.specs[row.name]
      if (row.scope !== scope || row.scope_id !== scopeId || spec === undefined || !takesScope(spec, scope)) continue
      const parsed = spec.schema.safeParse(JSON.parse(row.value))
      if (parsed.success) values[row.name] = parsed.data
      else onBroken(row.name)
    }
  }
  return values as ValuesOf<Specs>
}
