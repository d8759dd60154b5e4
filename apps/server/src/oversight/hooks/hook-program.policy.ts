/** Words of a command line. Quotes keep spaces together; a backslash takes the next character as it is. No shell reads it. */
export function wordsOf(commandLine: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < commandLine.length; at++) {
    const mark = commandLine.charAt(at)
    if (mark === '\\' && quote !== "'") {
      at += 1
      if (at === commandLine.length) return undefined
      word = (word ?? '') + commandLine.charAt(at)
    } else if (quote !== '') {
      if (mark === quote) quote = ''
      else word = (word ?? '') + mark
    } else if (mark === '"' || mark === "'") {
      quote = mark
      word ??= ''
    } else if (/\s/.test(mark)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + mark
  }
  if (quote !== '') return undefined
  return word === undefined ? words : [...words, word]
}

const FACTS = ['event', 'id', 'path', 'userId', 'size'] as const

/** What may stand between braces in the arguments of a program. */
export function unknownFact(words: readonly string[]): string | undefined {
  return words
    .flatMap((word) => [...word.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))
    .find((name) => !FACTS.some((fact) => fact === name))
}

/** The arguments of one run. Facts are put into words that are apart already, so nothing in them makes a word of its own. */
export function argumentsOf(
  commandLine: string,
  { id, event, body }: { readonly id: string; readonly event: string; readonly body: string },
): string[] {
  const { data } = JSON.parse(body) as { readonly data: Readonly<Record<string, unknown>> }
  const factOf = (name: string): string => {
    if (name === 'event') return event
    if (name === 'id') return id
    const fact = Object.hasOwn(data, name) ? data[name] : ''
    // A program is not started with a null byte in its arguments.
    return typeof fact === 'string' || typeof fact === 'number' ? String(fact).replaceAll('\0', '') : ''
  }
  return (wordsOf(commandLine) ?? []).map((word) => word.replaceAll(/\{(\w+)\}/g, (_, name: string) => factOf(name)))
}
