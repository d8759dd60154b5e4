const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', euro: '€' },
  ...{ hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', middot: '·', bull: '•' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è' },
}

/** Content of these is for the browser alone. */
const SILENT: Readonly<Record<string, RegExp>> = {
  script: /<\/script/gi,
  style: /<\/style/gi,
  template: /<\/template/gi,
  noscript: /<\/noscript/gi,
}
/** These stand within a word or a sentence. */
const INLINE = /^(?:a|abbr|b|bdi|bdo|code|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var|wbr)$/i

/** The words of a page, in one pass: nothing is built, run or fetched. */
export function htmlText(html: string): string {
  const parts: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    parts.push(html.slice(at, open))
    at = behindTag(html, open, parts)
  }
  parts.push(html.slice(at))
  return decodeEntities(parts.join(''))
}

/** @returns where the text goes on behind the tag, comment or silent element that begins at `open` */
function behindTag(html: string, open: number, parts: string[]): number {
  if (html.startsWith('<!--', open)) return behind(html, '-->', open + 4)
  const name = /[a-z][a-z0-9:-]{0,40}/iy
  name.lastIndex = html[open + 1] === '/' ? open + 2 : open + 1
  const [tag] = name.exec(html) ?? []
  if (tag === undefined) {
    if (html[open + 1] === '!' || html[open + 1] === '?') return behind(html, '>', open)
    parts.push('<')
    return open + 1
  }
  if (!INLINE.test(tag)) parts.push('\n\n')
  const end = behind(html, '>', open)
  const close = SILENT[tag.toLowerCase()]
  if (html[open + 1] === '/' || close === undefined) return end
  close.lastIndex = end
  const found = close.exec(html)
  return found === null ? html.length : behind(html, '>', found.index)
}

function behind(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

/** Those of XML and some of HTML; others stay as they are written. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '' : String.fromCodePoint(code)
  })
}
