import type { ReactNode } from 'react'
import type { Action, BoundAction } from '../../lib/actions.tsx'
import type { ListSort } from '../../lib/list-address.ts'
import type { TableSelection } from './table-selection.ts'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Track of a CSS grid; default an equal share. */
  readonly width?: string
  /** Numbers stand at the end of the line, all digits of one width. */
  readonly isNumeric?: boolean
  readonly isSortable?: boolean
  /** On a narrow screen a row is a card: this is its heading, one of its lines (default), or left out. */
  readonly narrow?: 'title' | 'line' | 'none'
}

/** Track of a column of times: all of them have one width. */
export const TIME_WIDTH = '168px'

export interface TableSelecting {
  readonly selection: TableSelection
  readonly onSelect: (selection: TableSelection) => void
  /** Rows that match, over all pages. */
  readonly total: number
  /** The rows on the screen are those of before, and others are on their way: none of them is selected. */
  readonly isWaiting?: boolean
  /** What can be done with the selection. */
  readonly actions: readonly BoundAction[]
  /** Stands in the bar while nothing is selected. */
  readonly summary?: ReactNode
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  /** Undefined until they are there. */
  readonly rows: readonly Row[] | undefined
  readonly idOf: (row: Row) => string
  /** By what a person knows the row; read aloud with each of its buttons. */
  readonly nameOf: (row: Row) => string
  /** Why there are no rows. */
  readonly error?: unknown
  readonly onRetry?: (() => void) | undefined
  /** In place of the rows when there are none. */
  readonly empty: ReactNode
  readonly sort?: ListSort | undefined
  readonly onSort?: ((sort: ListSort) => void) | undefined
  readonly selecting?: TableSelecting | undefined
  readonly rowActions?: ReadonlyArray<Action<Row>> | undefined
  /** What opens below a row. */
  readonly detail?: ((row: Row) => ReactNode) | undefined
  readonly onExpand?: ((row: Row) => void) | undefined
  readonly isUnread?: ((row: Row) => boolean) | undefined
  readonly density?: 'normal' | 'compact'
  /** Pixels; beyond, the rows scroll under the head and only those in sight are drawn. */
  readonly maxHeight?: number
}
