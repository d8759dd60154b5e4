/** Rows of a table that comes in pieces; cells are text, whatever they look like. */
export interface RowCollector {
  readonly rows: ReadonlyArray<readonly string[]>
  /** @param isLast the text ends here */
  add(text: string, isLast: boolean): void
}

/** More cells of one row are left out: a browser lays out every cell of a row that is seen. */
export const MAX_CELLS = 500
/** Characters of one cell that are kept. */
const MAX_CELL = 2_000

/** The separator of a table: the one that the first line has most of, outside of quotes. */
export function separatorOf(text: string): string {
  const first = (/^(?:"[^"]*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const count = (separator: string): number => first.split(separator).length
  return [',', '\t', ';', '|'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/**
 * Reads a table as RFC 4180 describes it. A quote that is never closed holds only its own line, so that one stray mark does not
 * swallow the rest of the file.
 */
export function collectRows(separator: string): RowCollector {
  const rows: Array<readonly string[]> = []
  let rest = ''
  return {
    rows,
    add(text, isLast) {
      const whole = rest + text
      let at = 0
      while (at < whole.length) {
        const end = rowEnd(whole, at, isLast)
        if (end < 0) break
        rows.push(cellsOf(whole.slice(at, end), separator))
        at = end + (whole[end] === '\r' && whole[end + 1] === '\n' ? 2 : 1)
      }
      rest = whole.slice(at)
    },
  }
}

/** Characters within which a quoted cell must be closed again. */
const MAX_QUOTED = 100_000

/** @returns where the row that begins at `start` ends; -1 when that is not known before more of the text is there */
function rowEnd(text: string, start: number, isLast: boolean): number {
  let at = start
  let quotedFrom = -1
  for (; at < text.length; at++) {
    const char = text[at]
    if (char === '"') quotedFrom = quotedFrom < 0 ? at : -1
    else if (quotedFrom < 0 && (char === '\n' || char === '\r')) break
    else if (quotedFrom >= 0 && at - quotedFrom > MAX_QUOTED) return lineEnd(text, start)
  }
  if (at < text.length) return at === text.length - 1 && text[at] === '\r' && !isLast ? -1 : at
  if (!isLast) return -1
  return quotedFrom < 0 ? text.length : lineEnd(text, start)
}

function lineEnd(text: string, start: number): number {
  const found = text.slice(start).search(/[\r\n]/)
  return found < 0 ? text.length : start + found
}

function cellsOf(row: string, separator: string): readonly string[] {
  const cells: string[] = []
  let at = 0
  while (at <= row.length && cells.length < MAX_CELLS) {
    const [cell, end] = row[at] === '"' ? quotedCell(row, at, separator) : plainCell(row, at, separator)
    cells.push(cell.slice(0, MAX_CELL))
    at = end + 1
  }
  return cells
}

function plainCell(row: string, start: number, separator: string): readonly [cell: string, end: number] {
  const found = row.indexOf(separator, start)
  const end = found < 0 ? row.length : found
  return [row.slice(start, end), end]
}

function quotedCell(row: string, start: number, separator: string): readonly [cell: string, end: number] {
  let at = start + 1
  while (at < row.length) {
    if (row[at] !== '"') at++
    else if (row[at + 1] === '"') at += 2
    else break
  }
  const [after, end] = plainCell(row, Math.min(at + 1, row.length), separator)
  return [row.slice(start + 1, at).replaceAll('""', '"') + after, end]
}
