import type { Api } from '../../lib/http.ts'
import type { ListState } from '../../lib/list-address.ts'
import type { TableSelection } from '../../ui/data-table/index.ts'
import type { Chosen } from './bulk.ts'
import { allRows, type ListSource, ROWS_MAX } from './list-source.ts'

/** What goes by ids is looked up row by row, so it ends somewhere. */
export function isTooMany(selection: TableSelection, total: number, isByIds: boolean): boolean {
  return selection.kind === 'all' && isByIds && total > ROWS_MAX
}

interface SelectedList<Row> {
  readonly source: ListSource<Row>
  readonly state: ListState
  readonly idOf: (row: Row) => string
  /** The call takes no filter. */
  readonly isByIds: boolean
}

/** The selection as a call takes it. */
export async function chosenRows<Row>(api: Api, selection: TableSelection, list: SelectedList<Row>): Promise<Chosen> {
  const { source, state, idOf, isByIds } = list
  if (selection.kind === 'some') return { ids: [...selection.ids] }
  if (!isByIds) {
    const filter = Object.fromEntries(Object.entries(state.filters).filter(([, value]) => value !== ''))
    return { filter, except: [...selection.except] }
  }
  const { rows } = await allRows(source, api, state)
  return { ids: rows.map(idOf).filter((id) => !selection.except.has(id)) }
}
