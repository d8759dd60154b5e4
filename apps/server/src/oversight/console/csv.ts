/** A byte order mark, without which spreadsheets guess another encoding. */
export const CSV_START = '\uFEFF'

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** What a spreadsheet may take for a formula: some pass over blanks in front, and one that is text by an apostrophe stays as it is. */
const FORMULA = /^'*(?:\s*[=+\-@]|[\t\r])/

/** A spreadsheet must show what somebody typed and never compute it, so what looks like a formula begins with an apostrophe. */
export function csvCell(text: string): string {
  const shown = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}
