import { csvRows } from './csv-rows.ts'

/** A table as a person's file holds it: every cell a text, empty lines left out. @throws ApiError IMPORT_FILE_OLD, IMPORT_FILE_UNREADABLE */
export async function readTable(file: File): Promise<ReadonlyArray<readonly string[]>> {
  const rows = /\.xlsx?$/i.test(file.name) ? await workbookRows(file) : csvRows(await file.text())
  return rows.filter((row) => row.some((cell) => cell.trim() !== ''))
}

/** The first sheet of a workbook. The reader is fetched with the first one. */
async function workbookRows(file: File): Promise<ReadonlyArray<readonly string[]>> {
  const { readWorkbook } = await import('./read-workbook.ts')
  const [first] = await readWorkbook(file)
  return first?.rows ?? []
}
