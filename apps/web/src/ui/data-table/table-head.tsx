import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTexts } from '../../lib/texts.tsx'
import { classNames } from '../class-names.ts'
import { Hidden } from '../hidden.tsx'
import styles from './data-table.module.css'
import type { Column, DataTableProps } from './table-props.ts'
import { pageSelection, withRows } from './table-selection.ts'

/** Names of the columns; a name that can be sorted by is a button. It stays in sight while the rows scroll. */
export function TableHead<Row>({ columns, rows = [], idOf, sort, onSort, selecting, rowActions }: DataTableProps<Row>) {
  const texts = useTexts()
  const ids = rows.map(idOf)
  const chosen = selecting === undefined ? 'none' : pageSelection(selecting.selection, ids)
  return (
    <div role="rowgroup" className={styles['head']}>
      <div role="row" className={styles['line']} aria-rowindex={1}>
        {selecting !== undefined && (
          <div role="columnheader" className={styles['check']}>
            <input
              type="checkbox"
              checked={chosen === 'all'}
              disabled={selecting.isWaiting}
              ref={(input) => {
                if (input !== null) input.indeterminate = chosen === 'some'
              }}
              onChange={() => selecting.onSelect(withRows(selecting.selection, ids, chosen !== 'all'))}
              aria-label={texts('table.select-page')}
            />
          </div>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
        {rowActions !== undefined && (
          <div role="columnheader" className={styles['cell']}>
            <Hidden>{texts('table.actions')}</Hidden>
          </div>
        )}
      </div>
    </div>
  )
}

interface HeadCellProps<Row> extends Pick<DataTableProps<Row>, 'sort' | 'onSort'> {
  readonly column: Column<Row>
}

function HeadCell<Row>({ column: { id, header, isNumeric, isSortable }, sort, onSort }: HeadCellProps<Row>) {
  const isSorted = sort?.by === id
  const names = classNames(styles['cell'], isNumeric === true && styles['numeric'])
  if (isSortable !== true || onSort === undefined) {
    return (
      <div role="columnheader" className={names}>
        {header}
      </div>
    )
  }
  const isUp = isSorted && sort.order === 'asc'
  const Arrow = isUp ? ArrowUp : ArrowDown
  return (
    <div role="columnheader" className={names} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <button type="button" className={styles['sort']} onClick={() => onSort({ by: id, order: isUp ? 'desc' : 'asc' })}>
        {header}
        {isSorted && <Arrow size={14} aria-hidden="true" />}
      </button>
    </div>
  )
}
