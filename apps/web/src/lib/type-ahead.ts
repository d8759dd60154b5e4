const TYPING_PAUSE_MS = 800

/** First name that begins with the letters, searched from a place on and around; -1 when there is none. */
export type FindByPrefix = (prefix: string, from: number) => number

/** Letters typed in quick succession find the name that begins with them; the same letter again goes to the next one. */
export function createTypeAhead() {
  let typed = ''
  let typedAt = Number.NEGATIVE_INFINITY
  const isTyping = (nowMs: number): boolean => nowMs - typedAt <= TYPING_PAUSE_MS
  const find = (findByPrefix: FindByPrefix, focus: number, key: string, nowMs: number): number => {
    const isNew = !isTyping(nowMs)
    typedAt = nowMs
    typed = isNew ? key : typed + key
    const isRepeat = [...typed].every((letter) => letter === key)
    const from = isNew || isRepeat ? focus + 1 : Math.max(0, focus)
    const found = findByPrefix(typed, from)
    return found === -1 && isRepeat ? findByPrefix(key, focus + 1) : found
  }
  return { find, isTyping }
}
