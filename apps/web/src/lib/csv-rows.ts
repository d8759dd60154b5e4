const SEPARATORS = [',', ';', '\t'] as const

/** The cells of a CSV file (RFC 4180), separated by what its first line has most of: comma, semicolon or tab. */
export function csvRows(text: string): ReadonlyArray<readonly string[]> {
  const plain = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(plain.split(/\r?\n/, 1)[0] ?? '')
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = (): void => {
    row.push(cell)
    cell = ''
  }
  const endRow = (): void => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain[at] ?? ''
    if (isQuoted && char === '"' && plain[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (!isQuoted && char === separator) endCell()
    else if (!isQuoted && char === '\n') endRow()
    else if (isQuoted || char !== '\r') cell += char
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

function separatorOf(line: string): string {
  const count = (separator: string): number => line.split(separator).length
  return SEPARATORS.reduce<string>((best, each) => (count(each) > count(best) ? each : best), SEPARATORS[0])
}
