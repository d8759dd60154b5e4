/** Between addresses that were typed, pasted, or stand in one cell; a name before an address is in angle brackets or quotes. */
const BETWEEN = /[\s,;，；、<>"'()]+/

/** The addresses in a text, as they stand there, each once. */
export function addressesIn(text: string): readonly string[] {
  return [...new Set(text.split(BETWEEN).filter((each) => each !== ''))]
}

/** Whatever in a table looks like an address, so that names, headings and numbers stay out. */
export function addressesOf(rows: ReadonlyArray<readonly string[]>): readonly string[] {
  const words = rows.flatMap((cells) => cells.flatMap((cell) => addressesIn(cell.replace(/^mailto:/i, ''))))
  return [...new Set(words.filter((word) => word.includes('@')))]
}
