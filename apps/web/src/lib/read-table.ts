import { csvRows } from './csv-rows.ts'

/** A table as a person's file holds it: every cell a text, empty lines left out. */
export async function readTable(file: File): Promise<ReadonlyArray<readonly string[]>> {
  const rows = /\.xlsx$/i.test(file.name) ? await workbookRows(file) : csvRows(await file.text())
  return rows.filter((row) => row.some((cell) => cell.trim() !== ''))
}

/** The first sheet of a workbook. The reader is fetched with the first one. */
async function workbookRows(file: File): Promise<ReadonlyArray<readonly string[]>> {
  const { default: readXlsxFile } = await import('read-excel-file/browser')
  const [first] = await readXlsxFile(file, { trim: false })
  return (first?.data ?? []).map((row) => row.map((cell) => (cell === null ? '' : String(cell))))
}
