import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'

export async function zipOf(content: Readonly<Record<string, string>>): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter())
  for (const [name, text] of Object.entries(content)) await writer.add(name, new TextReader(text))
  return Buffer.from(await (await writer.close()).arrayBuffer())
}

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

type Rows = ReadonlyArray<ReadonlyArray<string | number>>

/** A workbook of two sheets, as small as the format allows: numbers as numbers, and texts in a table of their own, as office programs write them. */
export function workbookOf(first: Rows, second: Rows): Promise<Buffer> {
  const texts = new Map<string, number>()
  const placeOf = (text: string): number => {
    const place = texts.get(text) ?? texts.size
    texts.set(text, place)
    return place
  }
  const cell = (value: string | number, address: string): string =>
    typeof value === 'number'
      ? `<c r="${address}"><v>${value}</v></c>`
      : `<c r="${address}" t="s"><v>${placeOf(value)}</v></c>`
  const cells = (row: Rows[number], at: number): string =>
    row.map((value, column) => cell(value, `${LETTERS[column]}${at + 1}`)).join('')
  const sheet = (rows: Rows): string =>
    `<worksheet xmlns="${SHEET}"><sheetData>${rows.map((row, at) => `<row r="${at + 1}">${cells(row, at)}</row>`).join('')}</sheetData></worksheet>`
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${LINKS}/${type}" Target="${target}"/>`
  const relations = (inner: string): string =>
    `<Relationships xmlns="${PACKAGE}/relationships">${inner}</Relationships>`
  const sheets = { 'xl/worksheets/sheet1.xml': sheet(first), 'xl/worksheets/sheet2.xml': sheet(second) }
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${LINKS}"><sheets><sheet name="Plan" sheetId="1" r:id="rId1"/><sheet name="Costs" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation(1, 'worksheet', 'worksheets/sheet1.xml') +
        relation(2, 'worksheet', 'worksheets/sheet2.xml') +
        relation(3, 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${SHEET}">${[...texts.keys()].map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...sheets,
  })
}

const WORDS = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** A text document with a link that would run a script. */
export function documentOf(text: string): Promise<Buffer> {
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${LINKS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${LINKS}/hyperlink" Target="javascript:parent.document.title='ran'" TargetMode="External"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${WORDS}" xmlns:r="${LINKS}"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p><w:p><w:hyperlink r:id="rId1"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p></w:body></w:document>`,
  })
}
