import type { ConsoleSetting } from '@godwit/contract'

/** Settings whose names in either language, or whose keys, hold every word. */
export function findSettings(settings: readonly ConsoleSetting[], text: string): readonly ConsoleSetting[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return settings.filter(({ key, label, choices }) => {
    const names = [key, ...Object.values(label), ...choices.flatMap((choice) => Object.values(choice.label))]
    const all = names.join('\n').toLowerCase()
    return words.length > 0 && words.every((word) => all.includes(word))
  })
}
