/**
 * A workbook of one sheet, written row by row: only what is compressed already is kept, however many rows there are. Every cell
 * is text (`inlineStr`), so nothing in it is ever a formula. Source: ECMA-376 part 1, 18.3 and 18.4; PKZIP APPNOTE 4.3.
 */

/** Excel refuses a workbook with more. */
const CELL_MAX = 32_767
const SHEET_ROWS_MAX = 1_048_576

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const MIME = `${TYPES}.sheet`

const PARTS: ReadonlyArray<readonly [path: string, xml: string]> = [
  [
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
]

type Rows = AsyncIterable<ReadonlyArray<readonly string[]>>

/** @param batches rows, some at a time; those beyond what a sheet holds are left out */
export async function xlsxOf(batches: Rows): Promise<Blob> {
  const zip = new ZipParts()
  for (const [path, xml] of PARTS) await zip.add(path, [HEAD + xml])
  await zip.add('xl/worksheets/sheet1.xml', sheetXml(batches))
  return zip.finish()
}

async function* sheetXml(batches: Rows): AsyncGenerator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`
  let count = 0
  for await (const batch of batches) {
    const rows = batch.slice(0, SHEET_ROWS_MAX - count)
    yield rows.map((cells, at) => rowXml(cells, count + at + 1)).join('')
    count += rows.length
    if (count === SHEET_ROWS_MAX) break
  }
  yield '</sheetData></worksheet>'
}

function rowXml(cells: readonly string[], row: number): string {
  return `<row r="${row}">${cells.map((text, column) => cellXml(text, `${letters(column)}${row}`)).join('')}</row>`
}

/** 0 is A, 26 is AA. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

function cellXml(text: string, address: string): string {
  return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text.slice(0, CELL_MAX))}</t></is></c>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Without what no XML document may hold; and `_x0041_`, which Excel would read as a letter, stays as it is. */
function xmlText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, (char) => (/[\t\n\r]/.test(char) ? char : ''))
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>]/g, (char) => ENTITIES[char] ?? char)
}

interface Entry {
  readonly name: Uint8Array<ArrayBuffer>
  readonly crc: number
  readonly size: number
  readonly packed: number
  readonly offset: number
}

const DEFLATED = 8
const UTF8_NAMES = 0x0800
const VERSION = 20
/** 1 January 1980, the least that the format has: a list has no time of its own. */
const DATE = 0x21

class ZipParts {
  readonly #parts: BlobPart[] = []
  readonly #entries: Entry[] = []
  #offset = 0

  async add(path: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const { blob, crc, size } = await deflated(texts)
    const name = new TextEncoder().encode(path)
    const entry = { name, crc, size, packed: blob.size, offset: this.#offset }
    this.#entries.push(entry)
    this.#push(numbers([0x04034b50, 4], [VERSION, 2], ...common(entry), [0, 2]), name, blob)
  }

  finish(): Blob {
    const start = this.#offset
    for (const entry of this.#entries) {
      const attributes = [
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 4],
        [entry.offset, 4],
      ] as const
      this.#push(numbers([0x02014b50, 4], [VERSION, 2], [VERSION, 2], ...common(entry), ...attributes), entry.name)
    }
    const count = this.#entries.length
    const length = this.#offset - start
    this.#push(numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [length, 4], [start, 4], [0, 2]))
    return new Blob(this.#parts, { type: MIME })
  }

  #push(...parts: ReadonlyArray<Uint8Array<ArrayBuffer> | Blob>): void {
    for (const part of parts) {
      this.#parts.push(part)
      this.#offset += part instanceof Blob ? part.size : part.length
    }
  }
}

type Field = readonly [value: number, bytes: 2 | 4]

function common({ crc, packed, size, name }: Entry): readonly Field[] {
  return [
    [UTF8_NAMES, 2],
    [DEFLATED, 2],
    [0, 2],
    [DATE, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [name.length, 2],
  ]
}

function numbers(...fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

async function deflated(texts: Iterable<string> | AsyncIterable<string>) {
  const { readable, writable } = new CompressionStream('deflate-raw')
  const packed = new Response(readable).blob()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  let crc = 0xffffffff
  let size = 0
  for await (const text of texts) {
    const bytes = encoder.encode(text)
    crc = crcOver(crc, bytes)
    size += bytes.length
    await writer.write(bytes)
  }
  await writer.close()
  return { blob: await packed, crc: (crc ^ 0xffffffff) >>> 0, size }
}

/** Polynomial of ISO 3309, reflected. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crcOver(crc: number, bytes: Uint8Array): number {
  let sum = crc
  for (const byte of bytes) sum = (CRC_TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return sum
}
