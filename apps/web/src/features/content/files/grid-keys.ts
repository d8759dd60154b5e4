import { type Listing, findByPrefix } from './listing.ts'
import { moveTo, type Selection, turnOver } from './selection.ts'

export interface GridKey {
  readonly key: string
  readonly toggle: boolean
  readonly extend: boolean
  readonly alt: boolean
}

/**
 * Where a key takes the selection.
 * @param step the row that a key leads to, where the list has any
 * @returns undefined when the key is not one of the list's
 */
export function keyedSelection(
  selection: Selection,
  key: GridKey,
  step: (focus: number, key: string) => number | undefined,
): Selection | undefined {
  if (key.alt) return undefined
  if (key.key === ' ') return selection.focus < 0 ? undefined : turnOver(selection, selection.focus)
  const row = step(selection.focus, key.key)
  return row === undefined ? undefined : moveTo(selection, row, key)
}

const TYPING_PAUSE_MS = 800

/** Letters typed in quick succession find the name that begins with them; the same letter again goes to the next one. */
export function createTypeAhead() {
  let typed = ''
  let typedAt = Number.NEGATIVE_INFINITY
  const isTyping = (nowMs: number): boolean => nowMs - typedAt <= TYPING_PAUSE_MS
  const find = (listing: Listing, focus: number, key: string, nowMs: number): number => {
    const isNew = !isTyping(nowMs)
    typedAt = nowMs
    typed = isNew ? key : typed + key
    const isRepeat = [...typed].every((letter) => letter === key)
    const from = isNew || isRepeat ? focus + 1 : Math.max(0, focus)
    const found = findByPrefix(listing, typed, from)
    return found === -1 && isRepeat ? findByPrefix(listing, key, focus + 1) : found
  }
  return { find, isTyping }
}
