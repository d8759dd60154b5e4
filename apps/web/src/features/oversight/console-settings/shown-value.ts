import type { ConsoleSetting, SettingValue } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'

/** A value in words: on and off, the name of a choice, and a word for nothing. */
export function shownValue(
  value: SettingValue,
  { kind, choices }: Pick<ConsoleSetting, 'kind' | 'choices'>,
  texts: Texts,
): string {
  if (kind === 'switch') return texts(value === 1 ? 'settings.on' : 'settings.off')
  const choice = choices.find((each) => each.value === value)
  if (choice !== undefined) return choice.label[texts.locale]
  return value === '' ? texts('settings.empty') : String(value)
}
