/** Longer lines are folded here: a browser lays out a line of a megabyte for seconds. */
export const MAX_LINE = 2_000

/** Lines of a text that comes in pieces. */
export interface TextLines {
  readonly lines: readonly string[]
  /** Line numbers from 1; 0 for the rest of a folded line. */
  readonly numbers: readonly number[]
}

export interface LineCollector extends TextLines {
  /** @param isLast the text ends here */
  add(text: string, isLast: boolean): void
}

/** Splits a text into lines as it comes; the unfinished last one waits for the next piece, so none is cut by a piece's end. */
export function collectLines(): LineCollector {
  const lines: string[] = []
  const numbers: number[] = []
  let rest = ''
  let number = 0
  const push = (line: string): void => {
    number++
    for (let at = 0; at === 0 || at < line.length; at += MAX_LINE) {
      lines.push(line.slice(at, at + MAX_LINE))
      numbers.push(at === 0 ? number : 0)
    }
  }
  return {
    lines,
    numbers,
    add(text, isLast) {
      const whole = rest + text
      // A piece may end between the two characters of one line end.
      const holdsReturn = !isLast && whole.endsWith('\r')
      const parts = (holdsReturn ? whole.slice(0, -1) : whole).split(/\r\n|\n|\r/)
      const last = parts.pop() ?? ''
      parts.forEach(push)
      rest = holdsReturn ? `${last}\r` : last
      if (isLast && (rest !== '' || number === 0)) push(rest)
    },
  }
}
