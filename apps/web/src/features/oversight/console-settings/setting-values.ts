import type { ConsoleSetting, ConsoleSettingChange, SettingValue } from '@godwit/contract'
import { ON } from '../../../ui/form/index.ts'

export type SettingTexts = Readonly<Record<string, string>>

/** A value as its field holds it. */
export function fieldValue({ kind }: Pick<ConsoleSetting, 'kind'>, value: SettingValue): string {
  if (kind === 'switch') return value === 1 ? ON : ''
  return String(value)
}

export function valuesOf(settings: readonly ConsoleSetting[]): SettingTexts {
  return Object.fromEntries(settings.map((setting) => [setting.key, fieldValue(setting, setting.value)]))
}

function settingValue({ kind }: Pick<ConsoleSetting, 'kind'>, text: string): SettingValue {
  if (kind === 'switch') return text === ON ? 1 : 0
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
