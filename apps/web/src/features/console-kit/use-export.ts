import type { ListState } from '../../lib/list-address.ts'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { csvOf, saveText } from './csv.ts'
import { allRows, type ListSource } from './list-source.ts'

interface ExportColumn<Row> {
  readonly header: string
  readonly text: (row: Row) => string
}

/** Saves what the filters leave as CSV, all columns, all pages; says so when it is not everything. */
export function useExport<Row>(
  name: string,
  columns: ReadonlyArray<ExportColumn<Row>>,
  source: ListSource<Row>,
): (state: ListState) => Promise<void> {
  const texts = useTexts()
  const { api, messages } = useServices()
  return async (state) => {
    try {
      const { rows, total } = await allRows(source, api, state)
      const head = columns.map(({ header }) => header)
      saveText(`${name}.csv`, csvOf([head, ...rows.map((row) => columns.map(({ text }) => text(row)))]))
      if (rows.length < total) messages.notify('info', texts('console.export.partly', { count: rows.length, total }))
      else messages.notify('success', texts('console.export.done', { count: rows.length }))
    } catch (error) {
      messages.fail(error, texts)
    }
  }
}
