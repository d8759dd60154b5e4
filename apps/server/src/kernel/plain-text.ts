/** Control characters, ends of lines, and marks that turn the direction of text. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** Whether a text that should be one line holds what could end or turn it. */
export function hasControls(text: string): boolean {
  return text.search(CONTROLS) !== -1
}

/** A text for one line: what could end or turn the line becomes a space. */
export function oneLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ').trim()
}
