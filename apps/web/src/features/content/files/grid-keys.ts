import { isSelected, moveTo, type Selection, turnOver } from './selection.ts'

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
  if (key.key === ' ') {
    const isLeft = selection.focus < 0 || (!key.toggle && isSelected(selection, selection.focus))
    return isLeft ? undefined : turnOver(selection, selection.focus)
  }
  const row = step(selection.focus, key.key)
  return row === undefined ? undefined : moveTo(selection, row, key)
}
