import type { ListState } from '../../lib/list-address.ts'
import { loadPart } from '../../lib/load-part.ts'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { csvLines, saveFile } from './csv.ts'
import { type ListSource, rowPages } from './list-source.ts'

interface ExportColumn<Row> {
  readonly header: string
  readonly text: (row: Row) => string
}

export type ExportFormat = 'csv' | 'xlsx'

type Table = AsyncIterable<ReadonlyArray<readonly string[]>>

/** Saves what the filters leave, all columns, all pages; says so when it is not everything. */
export function useExport<Row>(
  name: string,
  columns: ReadonlyArray<ExportColumn<Row>>,
  source: ListSource<Row>,
): (state: ListState, format: ExportFormat) => Promise<void> {
  const texts = useTexts()
  const { api, messages } = useServices()
  return async (state, format) => {
    let [count, total] = [0, 0]
    async function* table(): Table {
      yield [columns.map(({ header }) => header)]
      for await (const page of rowPages(source, api, state)) {
        count += page.rows.length
        total = page.total
        yield page.rows.map((row) => columns.map(({ text }) => text(row)))
      }
    }
    try {
      saveFile(`${name}.${format}`, await (format === 'csv' ? csvFile(table()) : workbook(table())))
      if (count < total) messages.notify('info', texts('console.export.partly', { count, total }))
      else messages.notify('success', texts('console.export.done', { count }))
    } catch (error) {
      messages.fail(error, texts)
    }
  }
}

async function csvFile(table: Table): Promise<Blob> {
  const parts: string[] = []
  for await (const rows of table) parts.push(csvLines(rows, parts.length === 0))
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

/** The writer is fetched with the first workbook. */
async function workbook(table: Table): Promise<Blob> {
  const { xlsxOf } = await loadPart(() => import('./xlsx.ts'))
  return xlsxOf(table)
}
