/** A byte order mark, without which spreadsheets guess another encoding. */
export const CSV_START = '\uFEFF'

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A spreadsheet must show what somebody typed and never compute it, so what looks like a formula begins with an apostrophe. */
export function csvCell(text: string): string {
  const shown = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}
