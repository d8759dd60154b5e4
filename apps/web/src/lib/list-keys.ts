/** Rows a list has, and how many a page key moves by. */
export interface ListExtent {
  readonly count: number
  readonly rowsPerPage: number
}

/**
 * The row that a key leads to.
 * @param focus the row that has the focus; -1 without one
 * @returns undefined when the key does not move
 */
export function keyedRow(focus: number, key: string, { count, rowsPerPage }: ListExtent): number | undefined {
  const last = count - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, focus + 1)
    case 'ArrowUp':
      return focus < 0 ? last : Math.max(0, focus - 1)
    case 'PageDown':
      return Math.min(last, Math.max(0, focus) + rowsPerPage)
    case 'PageUp':
      return Math.max(0, focus - rowsPerPage)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
