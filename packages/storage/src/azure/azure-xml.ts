/**
 * The little of XML that the service answers with: elements without attributes of meaning, never nested in their own name. Names that
 * XML cannot hold come percent-encoded, and say so.
 */
interface Element {
  readonly attributes: string
  readonly inside: string
}

/** The insides of all elements of a name, in order. */
export function* elements(xml: string, name: string): Generator<string> {
  for (const { inside } of found(xml, name)) yield inside
}

/** The text of the first element of a name; '' without one. */
export function textIn(xml: string, name: string): string {
  const [first] = found(xml, name)
  if (first === undefined) return ''
  const text = unescaped(first.inside)
  return /Encoded="true"/i.test(first.attributes) ? decodeURIComponent(text) : text
}

function* found(xml: string, name: string): Generator<Element> {
  const [open, close] = [`<${name}`, `</${name}>`]
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const begin = at + open.length
    const end = xml.indexOf('>', begin)
    if (end < 0) return
    const attributes = xml.slice(begin, end)
    at = end
    // Else the beginning of a longer name.
    if (!/^(?:[\s/]|$)/.test(attributes)) continue
    if (attributes.endsWith('/')) {
      yield { attributes, inside: '' }
      continue
    }
    const last = xml.indexOf(close, end)
    if (last < 0) return
    yield { attributes, inside: xml.slice(end + 1, last) }
    at = last + close.length
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      return ENTITIES[name ?? ''] ?? whole
    },
  )
}
