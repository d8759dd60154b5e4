import type { ConsoleSetting } from '@godwit/contract'
import type { HoldsPinyin } from '../../../lib/pinyin.ts'

/** Settings whose names in either language, or whose keys, hold every word; after them those that hold one by its sound in Chinese. */
export function findSettings(
  settings: readonly ConsoleSetting[],
  text: string,
  holdsPinyin: HoldsPinyin,
): readonly ConsoleSetting[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const plain: ConsoleSetting[] = []
  const byPinyin: ConsoleSetting[] = []
  for (const setting of settings) {
    const { key, label, choices } = setting
    const names = [label, ...choices.map((choice) => choice.label)]
    const all = [key, ...names.flatMap((name) => Object.values(name))].join('\n').toLowerCase()
    const chinese = names.map((name) => name['zh-CN'])
    const missing = words.filter((word) => !all.includes(word))
    if (missing.length === 0) plain.push(setting)
    else if (missing.every((word) => chinese.some((name) => holdsPinyin(name, word)))) byPinyin.push(setting)
  }
  return [...plain, ...byPinyin]
}
