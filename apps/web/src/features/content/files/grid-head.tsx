import { ArrowDown, ArrowUp } from 'lucide-react'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { MenuButton, MenuChoices, MenuSeparator } from '../../../ui/menu.tsx'
import styles from './file-grid.module.css'
import type { Order, OrderBy } from './folder-query.ts'
import type { FileGridProps } from './grid-props.ts'
import { selectAll, selectNone } from './selection.ts'

const COLUMNS: ReadonlyArray<{
  readonly orderBy: OrderBy
  readonly label: PortalKey
  readonly style: string | undefined
}> = [
  { orderBy: 'name', label: 'files.column.name', style: undefined },
  { orderBy: 'size', label: 'files.column.size', style: classNames(styles['size'], styles['right']) },
  { orderBy: 'time', label: 'files.column.time', style: styles['time'] },
]

/** Selects everything, and sorts. */
export function GridHead(props: FileGridProps & { readonly selectedCount: number }) {
  const { view, listing, selection, onSelect, isRoomy, selectedCount: count } = props
  const texts = useTexts()
  const isAll = count > 0 && count === listing.total
  const toggle = (): void => onSelect(isAll ? selectNone(selection) : selectAll(selection))
  return (
    <div role="row" className={styles['headRow']} aria-rowindex={1}>
      <div role="columnheader" className={styles['check']}>
        <input
          type="checkbox"
          checked={isAll}
          ref={(input) => {
            if (input !== null) input.indeterminate = count > 0 && !isAll
          }}
          onChange={toggle}
          aria-label={texts('files.select-all')}
        />
      </div>
      {!isRoomy && <PhoneSort {...props} />}
      {(isRoomy ? COLUMNS : []).map(({ orderBy, label, style }) => {
        const isSorted = view.orderBy === orderBy
        const Arrow = view.order === 'asc' ? ArrowUp : ArrowDown
        const next = isSorted && view.order === 'asc' ? 'desc' : 'asc'
        return (
          <div
            key={orderBy}
            role="columnheader"
            className={style}
            aria-sort={isSorted ? (view.order === 'asc' ? 'ascending' : 'descending') : 'none'}
          >
            <button type="button" className={styles['sort']} onClick={() => props.onSort(orderBy, next)}>
              {texts(label)}
              {isSorted && <Arrow size={14} aria-hidden="true" />}
            </button>
          </div>
        )
      })}
      <div role="columnheader" aria-label={texts('files.column.actions')} />
    </div>
  )
}

const ORDERS: readonly Order[] = ['asc', 'desc']

/** A phone has one column, so what it is sorted by is chosen from a menu. */
function PhoneSort({ view, onSort }: FileGridProps) {
  const texts = useTexts()
  const Arrow = view.order === 'asc' ? ArrowUp : ArrowDown
  const label = COLUMNS.find(({ orderBy }) => orderBy === view.orderBy)?.label ?? 'files.column.name'
  return (
    <div role="columnheader" aria-sort={view.order === 'asc' ? 'ascending' : 'descending'}>
      <MenuButton
        trigger={
          <button type="button" className={styles['sort']} aria-label={`${texts('files.sort')}: ${texts(label)}`}>
            {texts(label)}
            <Arrow size={14} aria-hidden="true" />
          </button>
        }
      >
        <MenuChoices
          label={texts('files.sort')}
          value={view.orderBy}
          choices={COLUMNS.map((column) => ({ value: column.orderBy, label: texts(column.label) }))}
          onChange={(next) => onSort(next, view.order)}
        />
        <MenuSeparator />
        <MenuChoices
          label={texts('files.order')}
          value={view.order}
          choices={ORDERS.map((order) => ({ value: order, label: texts(`files.order.${order}`) }))}
          onChange={(next) => onSort(view.orderBy, next)}
        />
      </MenuButton>
    </div>
  )
}
