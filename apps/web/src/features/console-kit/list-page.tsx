import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Action } from '../../lib/actions.tsx'
import { lazyModule, lazyWindow } from '../../lib/lazy.tsx'
import { type ListShape, type ListState, searchOfList } from '../../lib/list-address.ts'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { type ListAddress, useListAddress } from '../../lib/use-list-address.ts'
import { usePageThatIsThere } from '../../lib/use-page-that-is-there.ts'
import { type Column, DataTable, selectedRowCount, useTableSelection } from '../../ui/data-table/index.ts'
import type { Filter } from '../../ui/filter-bar.tsx'
import { lastPage } from '../../ui/page-items.ts'
import { StatePanel } from '../../ui/state-panel.tsx'
import type { BulkAction } from './bulk.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { chosenRows, isTooMany } from './chosen-rows.ts'
import { ColumnsDialog } from './columns-dialog.tsx'
import styles from './console-kit.module.css'
import { ListFilters, ListPager } from './list-address-bars.tsx'
import { type ListSource, useListRows, useRefresh } from './list-source.ts'
import { ListTools, useListTools } from './list-tools.tsx'
import { type ListView, useListView } from './list-view.ts'
import { PageFrame } from './page-frame.tsx'
import { useBulkActions } from './use-bulk-actions.ts'
import { useExport } from './use-export.ts'

const viewsPart = lazyModule(() => import('./views.dialog.tsx'))
const ViewsDialog = lazyWindow(viewsPart, (module) => module.ViewsDialog)

/** A column of a console list. The first one names the row and opens it. */
export interface ListColumn<Row> extends Column<Row> {
  /** The cell as an export has it. */
  readonly text: (row: Row) => string
  /** Shown only to those who choose it. */
  readonly isExtra?: boolean
}

export interface ListPageProps<Row> {
  /** By which this browser remembers columns and density; names an export as well. */
  readonly name: string
  readonly title: string
  readonly help: string
  /** The page above this one. */
  readonly back?: { readonly to: string; readonly label: string }
  /** Beside the title. */
  readonly actions?: ReactNode
  /** What opens below a row, in place of a drawer. */
  readonly renderDetail?: (row: Row) => ReactNode
  /** The bulk actions take ids alone, so a selection of everything is looked up first. */
  readonly isByIds?: boolean
  /** The bulk actions take a filter with rows left out. */
  readonly takesExcept?: boolean
  readonly source: ListSource<Row>
  /** One value for the life of the page; its `view` names are those of the kit. */
  readonly shape: ListShape
  readonly filters: readonly Filter[]
  readonly columns: ReadonlyArray<ListColumn<Row>>
  readonly idOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  readonly rowActions?: ReadonlyArray<Action<Row>>
  readonly bulk?: readonly BulkAction[]
  /** What the list is for, when there is nothing in it and no filter is on. */
  readonly empty: {
    readonly icon: ReactNode
    readonly title: string
    readonly text?: string
    readonly action?: ReactNode
  }
  /** Shown beside the list for the row that the address names. */
  readonly renderDrawer?: (id: string, close: () => void) => ReactNode
}

/** Filters, rows, pages and what can be done with them: the one list page of the console. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { name, title, help, actions, source, shape, filters, columns, idOf, nameOf, bulk = [], renderDrawer } = props
  const texts = useTexts()
  const { api } = useServices()
  const address = useListAddress(shape)
  const { rows, total: known, isWaiting, error, refetch } = useShownRows(source, address)
  const refresh = useRefresh(source.key)
  const matching = { list: source.key, filters: address.filters }
  const { selection, select, clear } = useTableSelection(matching)
  const [isChoosing, setChoosing] = useState(false)
  const [isViewing, setViewing] = useState(false)
  const choosable = columns.map(({ id, header, isExtra = false }, at) => ({ id, header, isExtra, isFixed: at === 0 }))
  const viewState = useListView(name, choosable, address)
  const { view } = viewState
  const exportRows = useExport(name, columns, source)
  const total = known ?? 0
  const count = selectedRowCount(selection, total)
  const shown = columns.filter(({ id }) => view.columns.includes(id))
  const open = address.view['open']
  const tools = useListTools({
    hasRows: total > 0,
    onExport: (format) => void exportRows(address, format),
    onChoose: () => setChoosing(true),
    onViews: () => setViewing(true),
  })
  const form = { isByIds: props.isByIds ?? false, takesExcept: props.takesExcept ?? false }
  const asking = useBulkActions(bulk, { isTooMany: isTooMany(selection, total, form), matching })
  const summary = (
    <span className={styles['count']}>{known !== undefined && texts('console.count', { count: total })}</span>
  )
  const selecting =
    bulk.length === 0
      ? undefined
      : { selection, onSelect: select, total, isWaiting, actions: count === 0 ? tools : asking.offered, summary }
  const isFiltered = Object.values(address.filters).some((value) => value !== '')
  return (
    <PageFrame title={title} help={help} actions={actions} {...(props.back === undefined ? {} : { back: props.back })}>
      <div className={styles['card']}>
        <ListFilters title={title} filters={filters} address={address} />
        {selecting === undefined && <ListTools summary={summary} actions={tools} />}
        <div className={styles['scroll']}>
          <DataTable
            label={title}
            columns={opening(shown, idOf, renderDrawer !== undefined)}
            rows={rows}
            error={error}
            onRetry={() => void refetch()}
            idOf={idOf}
            nameOf={nameOf}
            empty={<Empty {...props.empty} isFiltered={isFiltered} />}
            sort={address.sort}
            onSort={address.sortBy}
            rowActions={props.rowActions}
            detail={props.renderDetail}
            density={view.density}
            selecting={selecting}
          />
        </div>
        <ListPager title={title} total={total} address={address} />
      </div>
      {asking.question !== undefined && (
        <BulkDialog
          action={asking.question}
          choose={() => chosenRows(api, selection, { source, state: address, idOf, ...form })}
          count={count}
          onDone={() => {
            clear()
            void refresh()
          }}
          onClose={asking.close}
        />
      )}
      {isChoosing && <ColumnsDialog {...viewState} columns={choosable} onClose={() => setChoosing(false)} />}
      {isViewing && (
        <ViewsDialog list={name} search={shownSearch(address, view, shape)} onClose={() => setViewing(false)} />
      )}
      {open !== undefined && open !== '' && renderDrawer?.(open, () => address.show('open', ''))}
    </PageFrame>
  )
}

/** The rows of the page that the address names, or of the last one when that is gone; those of before while they are on their way. */
function useShownRows<Row>(source: ListSource<Row>, address: ListAddress) {
  const { data, error, refetch, isPlaceholderData: isWaiting } = useListRows(source, address)
  const { rows, total = 0 } = data ?? {}
  const last = lastPage(total, address.pageSize)
  usePageThatIsThere(address, data === undefined || isWaiting ? undefined : last)
  // That a page beyond the last has no rows does not mean that there are none.
  const isBeyond = rows?.length === 0 && total > 0 && (isWaiting || address.page > last)
  return { rows: isBeyond ? undefined : rows, total: data?.total, isWaiting, error, refetch }
}

/** Filter, order, columns and density as an address names them; which page and row are open is of the moment. */
function shownSearch(state: ListState, { columns, density }: ListView, shape: ListShape): Record<string, string> {
  const view = { ...state.view, columns: columns.join('.'), density, open: '' }
  return searchOfList({ ...state, page: 1, view }, shape)
}

/** Makes the first column lead to the row's drawer, by a link that can be copied and gone back from. */
function opening<Row>(
  columns: ReadonlyArray<ListColumn<Row>>,
  idOf: (row: Row) => string,
  hasDrawer: boolean,
): ReadonlyArray<Column<Row>> {
  if (!hasDrawer) return columns
  return columns.map((column, at) =>
    at > 0
      ? column
      : {
          ...column,
          cell: (row) => (
            <Link className={styles['open']} to="." search={(search: object) => ({ ...search, open: idOf(row) })}>
              {column.cell(row)}
            </Link>
          ),
        },
  )
}

interface EmptyProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text?: string
  readonly action?: ReactNode
  readonly isFiltered: boolean
}

function Empty({ icon, title, text, action, isFiltered }: EmptyProps) {
  const texts = useTexts()
  if (isFiltered) return <StatePanel icon={icon} title={texts('filter.none')} />
  return <StatePanel icon={icon} title={title} text={text} actions={action} />
}
