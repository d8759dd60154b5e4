const SAMPLED_ROWS = 200
const MIN_PX = 64
const MAX_PX = 320
const PADDING_PX = 24

/** Widths that fit most cells of the first rows, in pixels: one for each column that any of them has. */
export function columnWidths(rows: ReadonlyArray<readonly string[]>, count: number): readonly number[] {
  const widths: number[] = []
  for (const row of rows.slice(0, Math.min(count, SAMPLED_ROWS))) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.min(MAX_PX, Math.max(widths[column] ?? MIN_PX, textWidth(cell) + PADDING_PX))
    }
  }
  return widths
}

/** Roughly: ideographs are as wide as they are high, letters about half of it. */
function textWidth(text: string): number {
  let width = 0
  for (const char of text.slice(0, 60)) width += char > '\u2e7f' ? 14 : 8
  return width
}
