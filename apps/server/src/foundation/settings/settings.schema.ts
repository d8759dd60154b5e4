import type { Selectable } from 'kysely'
import type { SettingScope } from '../../kernel/setting.ts'

interface SettingValuesTable {
  name: string
  scope: SettingScope
  /** Id of the space, group or account; '' for the site. */
  scope_id: string
  /** JSON. Where there is no row, the next wider place decides, and at last the default. */
  value: string
}

interface SettingHistoryTable {
  /** Grows with time. */
  id: string
  name: string
  scope: SettingScope
  scope_id: string
  at: number
  /** Kind and id of who changed it; `operator` has no id. */
  by_kind: string
  by_id: string
  /** How it came in: `command-line`, `http`. */
  door: string
  /** JSON; null where there was no value of its own. */
  old_value: string | null
  new_value: string | null
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly setting_values: SettingValuesTable
    readonly setting_history: SettingHistoryTable
  }
}

export type SettingValueRow = Selectable<SettingValuesTable>
export type SettingHistoryRow = Selectable<SettingHistoryTable>
