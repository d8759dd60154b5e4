import type { ConsoleSetting, ConsoleSettingChange, SettingValue } from '@godwit/contract'
import { periodsAsText, periodsIn } from '@godwit/contract/identity/speed-periods'
import { ON } from '../../../ui/form/index.ts'
import { periodRowsText, periodsOf } from '../../identity/transfer-limits/index.ts'

export type SettingTexts = Readonly<Record<string, string>>

/** A value as its field holds it. */
export function fieldValue({ kind, format }: Pick<ConsoleSetting, 'kind' | 'format'>, value: SettingValue): string {
  if (kind === 'switch') return value === 1 ? ON : ''
  if (format === 'periods') return periodRowsText(periodsIn(String(value)) ?? [])
  return String(value)
}

export function valuesOf(settings: readonly ConsoleSetting[]): SettingTexts {
  return Object.fromEntries(settings.map((setting) => [setting.key, fieldValue(setting, setting.value)]))
}

function settingValue({ kind, format }: Pick<ConsoleSetting, 'kind' | 'format'>, text: string): SettingValue {
  if (kind === 'switch') return text === ON ? 1 : 0
  if (format === 'periods') return periodsAsText(periodsOf(text))
  return kind === 'text' ? text : Number(text)
}

/** What a save sends: the fields that differ, each with what it began with; a default resets. */
export function settingChanges(
  settings: readonly ConsoleSetting[],
  values: SettingTexts,
  base: SettingTexts,
): readonly ConsoleSettingChange[] {
  return settings.flatMap((setting) => {
    const { key, byDefault } = setting
    const [text = '', before = ''] = [values[key], base[key]]
    if (text === before) return []
    const value = settingValue(setting, text)
    return [{ key, from: settingValue(setting, before), value: value === byDefault ? null : value }]
  })
}
