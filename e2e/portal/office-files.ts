import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'

export async function zipOf(content: Readonly<Record<string, string>>): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter())
  for (const [name, text] of Object.entries(content)) await writer.add(name, new TextReader(text))
  return Buffer.from(await (await writer.close()).arrayBuffer())
}

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** A workbook of two sheets, as small as the format allows. */
export function workbookOf(
  first: ReadonlyArray<readonly string[]>,
  second: ReadonlyArray<readonly string[]>,
): Promise<Buffer> {
  const cells = (row: readonly string[], at: number): string =>
    row.map((text, column) => `<c r="${'AB'[column]}${at + 1}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const sheet = (rows: ReadonlyArray<readonly string[]>): string =>
    `<worksheet xmlns="${SHEET}"><sheetData>${rows.map((row, at) => `<row r="${at + 1}">${cells(row, at)}</row>`).join('')}</sheetData></worksheet>`
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${LINKS}/${type}" Target="${target}"/>`
  const relations = (inner: string): string =>
    `<Relationships xmlns="${PACKAGE}/relationships">${inner}</Relationships>`
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${LINKS}"><sheets><sheet name="Plan" sheetId="1" r:id="rId1"/><sheet name="Costs" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation(1, 'worksheet', 'worksheets/sheet1.xml') + relation(2, 'worksheet', 'worksheets/sheet2.xml'),
    ),
    'xl/worksheets/sheet1.xml': sheet(first),
    'xl/worksheets/sheet2.xml': sheet(second),
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
