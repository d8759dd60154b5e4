/** Manual pages of section 1 in the macros of man(7). Sections and parts are lines of such a page. */

export interface ManualFacts {
  /** Of the program, as it is typed. */
  readonly name: string
  readonly version: string
  readonly printedAt: Date
}

export type ManualSection = readonly [title: string, lines: readonly string[]]

export function manualPage({ name, version, printedAt }: ManualFacts, sections: readonly ManualSection[]): string {
  const date = printedAt.toISOString().slice(0, 10)
  return [
    `.TH ${name.toUpperCase()} 1 "${date}" "Godwit ${version}" "User Commands"`,
    ...sections.flatMap(([title, lines]) => [`.SH ${title}`, ...lines]),
    '',
  ].join('\n')
}

/** A heading below that of a section. */
export function manualHeading(words: string): string {
  return `.SS "${manualText(words).replaceAll('"', '\\(dq')}"`
}

/** A word such as an option or a code, with what it means. */
export function manualEntry(word: string, meaning: string): readonly string[] {
  return ['.TP', `.B ${manualText(word)}`, manualText(meaning)]
}

/** The first one after a heading stands without a mark of its own. */
export function manualParagraph(words: string, isFirst: boolean): readonly string[] {
  return [...(isFirst ? [] : ['.PP']), manualText(words)]
}

/** A line as it is typed. */
export function manualExample(line: string): readonly string[] {
  return ['.PP', '.RS', '.nf', manualText(line), '.fi', '.RE']
}

/** Nothing in it is a request: a dot or quote at the beginning of a line would be one, and a hyphen would become a dash. */
export function manualText(words: string): string {
  const escaped = words.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
