/** Excel reads a file without it as the local code page, and Chinese names as noise. */
const BYTE_ORDER_MARK = '\uFEFF'

/** What a spreadsheet may take for a formula: some pass over blanks in front. Also what begins as if it had been made text. */
const FORMULA = /^'*(?:\s*[=+\-@]|[\t\r])/

/** A table as CSV (RFC 4180) that a spreadsheet shows and never computes. */
export function csvOf(rows: ReadonlyArray<readonly string[]>): string {
  return csvLines(rows, true)
}

/** Lines of a table that is written in parts. */
export function csvLines(rows: ReadonlyArray<readonly string[]>, isFirst: boolean): string {
  const lines = rows.map((cells) => cells.map(csvCell).join(',')).join('\r\n')
  return isFirst ? BYTE_ORDER_MARK + lines : `\r\n${lines}`
}

/** A cell that looks like a formula is text: an apostrophe in front makes it so everywhere. */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A cell as it was before it was made text; what was never made text stays as it is. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/** Hands the browser a table to save. */
export function saveText(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}

/** Hands the browser a file to save. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
