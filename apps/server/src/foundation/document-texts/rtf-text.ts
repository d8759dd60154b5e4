import { MAX_CHARACTERS } from './prepared-text.ts'

/** Groups without words of the document. */
const SILENT =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|object|themedata|datastore|generator|listtable|xmlnstbl|fldinst)$/
const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ par: '\n\n', line: '\n', tab: '\t', cell: '\n\n', row: '\n\n', page: '\n\n', sect: '\n\n' },
  ...{ emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•' },
}
/** Names of code pages, as decoders know them. */
const CODE_PAGES: Readonly<Record<string, string>> = { 932: 'shift_jis', 936: 'gb18030', 949: 'euc-kr', 950: 'big5' }
const DEPTH_MAX = 1_000

const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy

interface Group {
  readonly isSilent: boolean
  /** Characters that follow one in Unicode for readers without it. */
  readonly skipped: number
}

/** The words of a rich text file (RTF 1.9), in one pass. */
export function rtfText(file: Uint8Array): string {
  const source = Buffer.from(file.buffer, file.byteOffset, file.length).toString('latin1')
  const reader = new Reader()
  for (const token of source.matchAll(TOKEN)) {
    const [, word, number, hex, symbol, brace, text] = token
    if (brace !== undefined) reader.brace(brace)
    else if (word !== undefined) reader.word(word.toLowerCase(), number)
    else if (hex !== undefined) reader.byte(Number.parseInt(hex, 16))
    else if (symbol !== undefined) reader.symbol(symbol)
    else if (text !== undefined) reader.text(text)
    if (reader.isFull) break
  }
  return reader.end()
}

class Reader {
  readonly #parts: string[] = []
  readonly #around: Group[] = []
  #group: Group = { isSilent: false, skipped: 1 }
  #decoder = new TextDecoder('windows-1252')
  #bytes: number[] = []
  #toSkip = 0
  #characters = 0

  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS
  }

  end(): string {
    this.#flush()
    return this.#parts.join('')
  }

  brace(brace: string): void {
    this.#flush()
    if (brace === '{') {
      // Deeper groups are read as one.
      if (this.#around.length < DEPTH_MAX) this.#around.push(this.#group)
    } else this.#group = this.#around.pop() ?? this.#group
  }

  word(word: string, number: string | undefined): void {
    if (word === 'u') return this.#unicode(Number(number ?? 0))
    this.#flush()
    if (SILENT.test(word)) this.#group = { ...this.#group, isSilent: true }
    else if (word === 'uc') this.#group = { ...this.#group, skipped: Math.min(9, Math.max(0, Number(number ?? 1))) }
    else if (word === 'ansicpg') this.#decoder = decoderOf(number ?? '')
    else this.#add(CHARACTERS[word] ?? '')
  }

  byte(value: number): void {
    if (this.#toSkip > 0) this.#toSkip--
    else if (!this.#group.isSilent) this.#bytes.push(value)
  }

  symbol(symbol: string): void {
    // A group that readers may leave out.
    if (symbol === '*') this.#group = { ...this.#group, isSilent: true }
    else if (symbol === '~') this.text(' ')
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.text(symbol)
  }

  text(text: string): void {
    this.#flush()
    const skipped = Math.min(this.#toSkip, text.length)
    this.#toSkip -= skipped
    this.#add(text.slice(skipped))
  }

  #unicode(number: number): void {
    this.#flush()
    this.#add(String.fromCharCode(number & 0xffff))
    this.#toSkip = this.#group.skipped
  }

  /** Bytes of one character may come in several tokens. */
  #flush(): void {
    if (this.#bytes.length === 0) return
    const text = this.#decoder.decode(Uint8Array.from(this.#bytes))
    this.#bytes = []
    this.#add(text)
  }

  #add(text: string): void {
    if (this.#group.isSilent) return
    this.#characters += text.length
    this.#parts.push(text)
  }
}

function decoderOf(page: string): TextDecoder {
  try {
    return new TextDecoder(CODE_PAGES[page] ?? (page === '65001' ? 'utf-8' : `windows-${page}`))
  } catch {
    // A page that nobody knows.
    return new TextDecoder('windows-1252')
  }
}
