export type TextValues = Readonly<Record<string, string | number>>

const PLACEHOLDER = /\{(\w+)\}/g

/** The names between braces, in the order of the text. */
export function placeholders(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '')
}

/** Puts each value in once; what looks like a placeholder in a value stays text. A value that is missing becomes nothing. */
export function filledText(template: string, values: TextValues): string {
  return template.replaceAll(PLACEHOLDER, (_, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : '',
  )
}
