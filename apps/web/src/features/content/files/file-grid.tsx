import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useId, useMemo, useRef } from 'react'
import { isMac } from '../../../lib/shortcuts.ts'
import { useServices } from '../../../lib/services.tsx'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { useWindowing, type Windowing } from '../../../lib/use-windowing.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { classNames } from '../../../ui/class-names.ts'
import styles from './file-grid.module.css'
import { FileRow } from './file-row.tsx'
import type { FolderView, Order, OrderBy } from './folder-query.ts'
import { createTypeAhead, keyedSelection } from './grid-keys.ts'
import { entryAt, isFolder, type Listing } from './listing.ts'
import { RenameField } from './rename-field.tsx'
import { click, isSelected, only, selectAll, selectedCount, type Selection, selectNone, turnOver } from './selection.ts'
import { useRowDrag } from './use-row-drag.ts'
import { useRubberBand } from './use-rubber-band.tsx'

export const ROW_HEIGHT = 49
export const PHONE_ROW_HEIGHT = 61
const HEAD_HEIGHT = 40
const OVERSCAN = 2

export interface FileGridProps {
  readonly view: FolderView
  readonly folderName: string
  readonly listing: Listing
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly isRoomy: boolean
  readonly initialTop: number
  readonly renaming: number | undefined
  readonly onRename: (row: number, name: string) => void
  readonly onRenameEnd: () => void
  readonly onOpen: (row: number) => void
  readonly onMenu: (row: number, at: { readonly x: number; readonly y: number }) => void
  readonly onSort: (orderBy: OrderBy, order: Order) => void
  readonly onMove: ((rows: readonly number[], target: number) => void) | undefined
  readonly hrefOf: (name: string) => string
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly windowingRef: RefObject<Windowing | undefined>
}

/** The list of a folder as one accessible grid: one tab stop, the focused row named by `aria-activedescendant`. */
export function FileGrid(props: FileGridProps) {
  const { listing, selection, isRoomy, gridRef, windowingRef, onSelect } = props
  const texts = useTexts()
  const id = useId()
  const rowHeight = isRoomy ? ROW_HEIGHT : PHONE_ROW_HEIGHT
  const windowing = useWindowing(gridRef, {
    count: listing.total,
    rowHeight,
    overscan: OVERSCAN,
    headHeight: HEAD_HEIGHT,
    initialTop: props.initialTop,
  })
  windowingRef.current = windowing
  const rowAt = useRowAt(gridRef, windowing, rowHeight)
  const band = useRubberBand({ gridRef, windowing, rowHeight, selection, onSelect, total: listing.total })
  const drag = useRowDrag({ listing, selection, onSelect, onMove: props.onMove, rowAt })
  const onKeyDown = useGridKeys(props, windowing, rowHeight)
  const focusedShown = selection.focus >= windowing.first && selection.focus < windowing.end
  const count = selectedCount(selection, listing.total)
  return (
    <>
      <div
        ref={gridRef}
        role="grid"
        className={styles['grid']}
        tabIndex={0}
        aria-multiselectable="true"
        aria-rowcount={listing.total + 1}
        aria-colcount={isRoomy ? 5 : 3}
        aria-label={texts('files.grid', { folder: props.folderName })}
        aria-describedby={`${id}-caption`}
        aria-activedescendant={focusedShown && props.renaming === undefined ? `${id}-${selection.focus}` : undefined}
        data-testid="file-grid"
        onKeyDown={onKeyDown}
        onClick={(event) => onRowClick(event, props, band.justDragged())}
        onDoubleClick={(event) => onRowDoubleClick(event, props)}
        onContextMenu={(event) => onRowMenu(event, props)}
        onPointerDown={band.onPointerDown}
        {...drag.handlers}
      >
        <HeadRow {...props} selectedCount={count} />
        <div className={styles['body']} role="rowgroup" style={{ height: windowing.height }}>
          <div className={styles['rows']} role="presentation" style={{ transform: `translateY(${windowing.shift}px)` }}>
            <Rows {...props} windowing={windowing} rowHeight={rowHeight} id={id} dropRow={drag.target} count={count} />
          </div>
          {band.element}
        </div>
        <span id={`${id}-caption`} hidden>
          {texts('files.caption')}
        </span>
      </div>
      <Hidden live>{count > 1 ? texts('files.selected', { count }) : ''}</Hidden>
    </>
  )
}

interface RowsProps extends FileGridProps {
  readonly windowing: Windowing
  readonly rowHeight: number
  readonly id: string
  readonly dropRow: number
  readonly count: number
}

function Rows({ windowing, rowHeight, id, dropRow, count, ...props }: RowsProps) {
  const { listing, selection, renaming } = props
  const { first, end, base } = windowing
  // As many slots as rows fit: a row that leaves at one end is reused for the one that comes at the other.
  const slots = Math.ceil(windowing.viewport / rowHeight) + 2 * OVERSCAN + 1
  const rows = []
  for (let index = first; index < end; index++) {
    const entry = entryAt(listing, index)
    const folder = entry !== undefined && isFolder(entry.type)
    const name = entry?.name ?? ''
    rows.push(
      <FileRow
        key={index % slots}
        id={`${id}-${index}`}
        index={index}
        offset={(index - base) * rowHeight}
        name={name}
        isFolder={folder}
        size={entry?.size ?? -1}
        time={entry?.time ?? 0}
        isSelected={isSelected(selection, index)}
        isFocused={selection.focus === index}
        isDropTarget={dropRow === index}
        isBusy={entry === undefined}
        href={folder ? props.hrefOf(name) : undefined}
        isRoomy={props.isRoomy}
        isAnySelected={count > 0}
        editor={
          renaming === index && entry !== undefined ? (
            <RenameField
              name={name}
              isFolder={folder}
              isTaken={(wanted) => listing.names.includes(wanted)}
              onCommit={(wanted) => props.onRename(index, wanted)}
              onCancel={props.onRenameEnd}
            />
          ) : undefined
        }
      />,
    )
  }
  return rows
}

const COLUMNS: ReadonlyArray<{
  readonly orderBy: OrderBy
  readonly label: PortalKey
  readonly style: string | undefined
}> = [
  { orderBy: 'name', label: 'files.column.name', style: undefined },
  { orderBy: 'size', label: 'files.column.size', style: classNames(styles['size'], styles['right']) },
  { orderBy: 'time', label: 'files.column.time', style: styles['time'] },
]

function HeadRow(props: FileGridProps & { readonly selectedCount: number }) {
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
      {COLUMNS.filter(({ orderBy }) => isRoomy || orderBy === 'name').map(({ orderBy, label, style }) => {
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

function rowOf(target: EventTarget | null): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return row === null ? -1 : Number(row.dataset['row'])
}

function modifiersOf(event: MouseEvent | KeyboardEvent) {
  return { toggle: isMac(navigator.platform) ? event.metaKey : event.ctrlKey, extend: event.shiftKey }
}

function onRowClick(event: MouseEvent, props: FileGridProps, justDragged: boolean): void {
  const row = rowOf(event.target)
  const target = event.target as HTMLElement
  if (justDragged || target.closest('[data-editor]') !== null) return
  if (row < 0) {
    const isBlank = target.closest('[role="columnheader"]') === null
    if (isBlank && !event.ctrlKey && !event.shiftKey) props.onSelect(selectNone(props.selection))
    return
  }
  const { toggle, extend } = modifiersOf(event)
  const link = target.closest('a')
  if (target.closest('[data-menu]') !== null) {
    const box = target.getBoundingClientRect()
    openMenu(props, row, { x: box.left, y: box.bottom })
  } else if (target.closest('input') !== null) {
    props.onSelect(extend ? click(props.selection, row, { toggle: true, extend }) : turnOver(props.selection, row))
  } else if (link !== null && !toggle && !extend) {
    event.preventDefault()
    props.onOpen(row)
  } else if (!props.isRoomy && !toggle && !extend) {
    // On a phone a tap opens, or goes on selecting once something is selected.
    if (selectedCount(props.selection, props.listing.total) > 0) props.onSelect(turnOver(props.selection, row))
    else if (isFolder(props.listing.types[row] ?? 0)) props.onOpen(row)
    else props.onSelect(only(row))
  } else {
    if (link !== null) event.preventDefault()
    props.onSelect(click(props.selection, row, { toggle, extend }))
  }
}

function onRowDoubleClick(event: MouseEvent, props: FileGridProps): void {
  const target = event.target as HTMLElement
  const row = rowOf(target)
  if (row >= 0 && target.closest('input, [data-menu], [data-editor]') === null) props.onOpen(row)
}

function onRowMenu(event: MouseEvent, props: FileGridProps): void {
  if ((event.target as HTMLElement).closest('[data-editor]') !== null) return
  const row = rowOf(event.target)
  if (row < 0) return
  event.preventDefault()
  openMenu(props, row, { x: event.clientX, y: event.clientY })
}

/** The menu works on the selection; a row outside it becomes the selection first. */
function openMenu(props: FileGridProps, row: number, at: { readonly x: number; readonly y: number }): void {
  if (!isSelected(props.selection, row)) props.onSelect(only(row))
  props.onMenu(row, at)
}

function useRowAt(gridRef: RefObject<HTMLDivElement | null>, windowing: Windowing, rowHeight: number) {
  return (clientY: number): number => {
    const box = gridRef.current?.getBoundingClientRect()
    return box === undefined ? -1 : Math.floor((clientY - box.top - HEAD_HEIGHT + windowing.top()) / rowHeight)
  }
}

function useGridKeys(props: FileGridProps, windowing: Windowing, rowHeight: number) {
  const { clock } = useServices()
  const typeAhead = useMemo(createTypeAhead, [])
  const shownFocus = useRef(props.selection.focus)
  const { focus } = props.selection
  const { show } = windowing
  useEffect(() => {
    // Only a moved focus scrolls; new rows arriving in the background do not.
    if (focus >= 0 && focus !== shownFocus.current) show(focus)
    shownFocus.current = focus
  }, [focus, show])
  return (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget) return
    const { listing, selection, onSelect } = props
    const key = { key: event.key, ...modifiersOf(event), alt: event.altKey }
    const place = { count: listing.total, rowsPerPage: Math.max(1, Math.floor(windowing.viewport / rowHeight) - 1) }
    const moved = keyedSelection(selection, key, place)
    if (moved !== undefined) {
      event.preventDefault()
      onSelect(moved)
      return
    }
    if (event.key === 'Enter' && !event.altKey && focus >= 0) {
      event.preventDefault()
      props.onOpen(focus)
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault()
      openMenuByKey(props)
    } else if (isLetter(event)) {
      const row = typeAhead(listing, focus, event.key, clock.monotonic())
      if (row >= 0) onSelect(only(row))
      event.preventDefault()
    }
  }
}

/** What type-ahead takes: one character that can stand in a name. `/` and `?` cannot, so they stay free for shortcuts. */
function isLetter(event: KeyboardEvent): boolean {
  return (
    event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !/[\s/?\\:*"<>|]/.test(event.key)
  )
}

function openMenuByKey(props: FileGridProps): void {
  const { focus } = props.selection
  const row = props.gridRef.current?.querySelector(`[data-row="${focus}"]`)
  if (focus < 0 || row === null || row === undefined) return
  const box = row.getBoundingClientRect()
  openMenu(props, focus, { x: box.left + 80, y: box.bottom })
}
