export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy

/** Reads the text format of Prometheus, version 0.0.4. @throws Error naming the line that breaks it */
export function parseMetrics(text: string): readonly MetricSample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`)
      return { name, labels: parseLabels(labels, line), value: numberOf(value, line) }
    })
}

function parseLabels(text: string, line: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {}
  let end = 0
  for (const [all, name = '', value = ''] of text.matchAll(LABEL)) {
    if (name in labels) throw new Error(`label ${name} twice: ${line}`)
    labels[name] = value
    end += all.length
  }
  if (end !== text.length) throw new Error(`no labels: ${line}`)
  return labels
}

function numberOf(text: string, line: string): number {
  const value = text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text)
  if (Number.isNaN(value) && text !== 'Nan' && text !== 'NaN') throw new Error(`no value: ${line}`)
  return value
}

/** What `promtool check metrics` finds fault with, as far as it concerns us. */
export function lintMetrics(text: string): readonly string[] {
  const faults: string[] = []
  const [types, helps] = [factsOf(text, 'TYPE'), factsOf(text, 'HELP')]
  const seen = new Set<string>()
  for (const { name, labels } of parseMetrics(text)) {
    const family = familyOf(name, types)
    const type = types.get(family)
    if (type === undefined) faults.push(`${name} has no type`)
    if ((helps.get(family) ?? '') === '') faults.push(`${name} has no help`)
    if (type === 'counter' && !name.endsWith('_total')) faults.push(`the counter ${name} does not end with _total`)
    if (type !== 'counter' && name.endsWith('_total')) faults.push(`${name} is a ${type} and ends with _total`)
    if (/[A-Z]|milliseconds|minutes|kilobytes|percent/.test(name)) faults.push(`${name} has no base unit`)
    const key = `${name} ${JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => one.localeCompare(other)))}`
    if (seen.has(key)) faults.push(`${key} stands twice`)
    seen.add(key)
  }
  return faults
}

function familyOf(name: string, types: ReadonlyMap<string, string>): string {
  if (types.has(name)) return name
  return name.replace(/_(?:bucket|sum|count)$/, '')
}

function factsOf(text: string, kind: 'TYPE' | 'HELP'): ReadonlyMap<string, string> {
  const facts = text.matchAll(/^# (TYPE|HELP) (\S+) (.*)$/gm)
  return new Map([...facts].filter(([, is]) => is === kind).map(([, , name = '', fact = '']) => [name, fact]))
}
