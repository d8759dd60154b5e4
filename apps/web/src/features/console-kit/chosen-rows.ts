import type { Api } from '../../lib/http.ts'
import type { ListState } from '../../lib/list-address.ts'
import type { TableSelection } from '../../ui/data-table/index.ts'
import type { Chosen } from './bulk.ts'
import { allRows, type ListSource, ROWS_MAX } from './list-source.ts'

/** How the calls about the rows of a list name them. */
interface CallForm {
  /** They take ids alone. */
  readonly isByIds: boolean
  /** They take a filter with ids left out. */
  readonly takesExcept: boolean
}

/** What goes by ids is looked up row by row, so it ends somewhere. */
export function isTooMany(selection: TableSelection, total: number, form: CallForm): boolean {
  return selection.kind === 'all' && isLookedUp(selection.except.size, form) && total > ROWS_MAX
}

function isLookedUp(left: number, { isByIds, takesExcept }: CallForm): boolean {
  return isByIds || (left > 0 && !takesExcept)
}

interface SelectedList<Row> extends CallForm {
  readonly source: ListSource<Row>
  readonly state: ListState
  readonly idOf: (row: Row) => string
}

/** The selection as a call takes it. */
export async function chosenRows<Row>(api: Api, selection: TableSelection, list: SelectedList<Row>): Promise<Chosen> {
  const { source, state, idOf } = list
  if (selection.kind === 'some') return { ids: [...selection.ids] }
  if (!isLookedUp(selection.except.size, list)) {
    const filter = Object.fromEntries(Object.entries(state.filters).filter(([, value]) => value !== ''))
    return { filter, except: [...selection.except] }
  }
  const { rows } = await allRows(source, api, state)
  return { ids: rows.map(idOf).filter((id) => !selection.except.has(id)) }
}
