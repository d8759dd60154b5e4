import { Parser } from 'saxen'
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { decodeEntities } from './html-text.ts'
import { MAX_CHARACTERS } from './prepared-text.ts'
import { TextFault } from './text-fault.ts'

/** Entries of a package; a presentation of a thousand slides has about ten thousand. */
const MOST_ENTRIES = 20_000
/** Bytes of one part, and of all that are read: what a bomb unpacks to is never held. */
const MAX_PART_BYTES = 32 * 1024 * 1024
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024

/** Parts with words in them, in the order in which they are read. */
const OFFICE_PARTS = [
  /^word\/document\d*\.xml$/,
  /^word\/(?:footnotes|endnotes|comments|header\d*|footer\d*)\.xml$/,
  /^xl\/sharedStrings\.xml$/,
  /^xl\/worksheets\/[^/]+\.xml$/,
  /^ppt\/slides\/[^/]+\.xml$/,
  /^ppt\/notesSlides\/[^/]+\.xml$/,
]
const OPEN_DOCUMENT_PARTS = [/^content\.xml$/, /^styles\.xml$/]

/** The words of an office document: a zip of XML. @throws TextFault */
export async function zipText(file: Uint8Array, format: 'office' | 'open-document'): Promise<string> {
  const zip = await orFault(fromBufferPromise(Buffer.from(file.buffer, file.byteOffset, file.length), ZIP_OPTIONS))
  if (zip.entryCount > MOST_ENTRIES) throw new TextFault('too-large')
  const wanted = await orFault(partsOf(zip, format === 'office' ? OFFICE_PARTS : OPEN_DOCUMENT_PARTS))
  if (wanted.length === 0) throw new TextFault('unsupported')
  const texts: string[] = []
  let unpacked = 0
  let characters = 0
  for (const entry of wanted) {
    const xml = await orFault(readPart(zip, entry))
    unpacked += xml.length
    if (unpacked > MAX_UNPACKED_BYTES) throw new TextFault('too-large')
    const text = xmlText(new TextDecoder(encodingOf(xml)).decode(xml), { format, most: MAX_CHARACTERS - characters })
    texts.push(text)
    characters += text.length
    if (characters >= MAX_CHARACTERS) break
  }
  return texts.join('\n\n')
}

const ZIP_OPTIONS = { autoClose: false, decodeStrings: false, validateEntrySizes: true }

async function partsOf(zip: ZipFile, parts: readonly RegExp[]): Promise<Entry[]> {
  const found: Array<{ readonly entry: Entry; readonly rank: number; readonly name: string }> = []
  for await (const entry of zip.eachEntry()) {
    const name = Buffer.from(entry.fileName).toString('latin1')
    const rank = parts.findIndex((part) => part.test(name))
    if (rank === -1) continue
    if (entry.isEncrypted()) throw new TextFault('protected')
    if (entry.uncompressedSize > MAX_PART_BYTES) throw new TextFault('too-large')
    found.push({ entry, rank, name })
  }
  const order = new Intl.Collator('en', { numeric: true })
  return found.toSorted((a, b) => a.rank - b.rank || order.compare(a.name, b.name)).map(({ entry }) => entry)
}

async function readPart(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const stream = await zip.openReadStreamPromise(entry)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // The directory of the zip may lie about it.
      if (bytes > MAX_PART_BYTES) throw new TextFault('too-large')
      chunks.push(chunk)
    }
  } finally {
    stream.destroy()
  }
  return Buffer.concat(chunks)
}

/** Whatever the library says against the bytes, the document is what is wrong. */
async function orFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    if (thrown instanceof TextFault) throw thrown
    throw new TextFault('unreadable', { cause: thrown })
  }
}

function encodingOf(xml: Uint8Array): string {
  if (xml[0] === 0xfe && xml[1] === 0xff) return 'utf-16be'
  return xml[0] === 0xff && xml[1] === 0xfe ? 'utf-16le' : 'utf-8'
}

/** A paragraph, row or cell ends. */
const BLOCKS = new Set(['p', 'h', 'tr', 'tc', 'si', 'row', 'table-cell', 'table-row', 'list-item', 'c', 'is'])
/** White space in place of characters. */
const SPACES: Readonly<Record<string, string>> = { tab: '\t', br: '\n', cr: '\n', s: ' ', 'line-break': '\n' }
/** What was deleted or is not shown. */
const SILENT = new Set(['delText', 'instrText', 'tracked-changes', 'Fallback', 'script'])

/**
 * The words of one part. A document type is skipped and no entity of its own is known, so nothing grows and nothing outside is read.
 * @param most characters
 */
function xmlText(
  xml: string,
  { format, most }: { readonly format: 'office' | 'open-document'; readonly most: number },
): string {
  const parts: string[] = []
  const open: Array<{ readonly name: string; readonly isTaken: boolean; readonly isSilent: boolean }> = []
  let characters = 0
  const add = (text: string): void => {
    if (characters > most) return
    characters += text.length
    parts.push(text)
  }
  const parser = new Parser()
  parser.on('openTag', (tag, attributesOf) => {
    const name = tag.slice(tag.indexOf(':') + 1)
    const around = open.at(-1)
    const isSilent = around?.isSilent === true || SILENT.has(name)
    // Cells of a workbook name shared words by number.
    const isTaken = around?.isTaken === true || HOLDS_TEXT[format](name, around?.name)
    open.push({ name: name === 'c' && isShared(attributesOf()) ? 'shared' : name, isTaken, isSilent })
    const space = SPACES[name]
    if (space !== undefined && !isSilent) add(space)
  })
  parser.on('closeTag', () => {
    const closed = open.pop()
    if (closed !== undefined && BLOCKS.has(closed.name)) add('\n\n')
  })
  const text = (raw: string): void => {
    const inside = open.at(-1)
    if (inside?.isTaken === true && !inside.isSilent) add(decodeEntities(raw))
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('attention', () => undefined)
  parser.on('warn', () => undefined)
  parser.on('error', () => undefined)
  parser.parse(xml)
  return parts.join('')
}

/** Which elements have words in them: `v` is the value of a cell `c`. */
const HOLDS_TEXT = {
  office: (name: string, parent: string | undefined): boolean => name === 't' || (name === 'v' && parent === 'c'),
  'open-document': (name: string): boolean => name === 'p' || name === 'h',
} as const

function isShared(attributes: unknown): boolean {
  return (attributes as { readonly t?: string } | undefined)?.t === 's'
}
