import { useQuery } from '@tanstack/react-query'

/** Whether a Chinese text holds a word typed by its sound: syllables (`mima`), their first letters (`mm`), or both mixed. */
export type HoldsPinyin = (text: string, word: string) => boolean

/** One letter begins a syllable in nearly every text. */
const LETTERS_MIN = 2

/** Loads the dictionary, 20 KB, which only searches need. */
export async function loadPinyin(): Promise<HoldsPinyin> {
  const { default: pinyin } = await import('pinyin-match')
  return (text, word) => word.length >= LETTERS_MIN && /^[a-z]+$/.test(word) && pinyin.match(text, word) !== false
}

/** Nothing is held until the dictionary is there. */
export function usePinyin(): HoldsPinyin {
  const { data } = useQuery({
    queryKey: ['pinyin'],
    queryFn: async () => ({ holds: await loadPinyin() }),
    staleTime: Infinity,
  })
  return data?.holds ?? (() => false)
}
