import { Lock, TriangleAlert } from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { isFailure } from '../../lib/http.ts'
import { useTexts } from '../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../lib/use-media.ts'
import { useWindowing } from '../../lib/use-windowing.ts'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { StatePanel } from '../state-panel.tsx'
import styles from './data-table.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { TableHead } from './table-head.tsx'
import type { DataTableProps } from './table-props.ts'
import { TableRow } from './table-row.tsx'
import { useTableKeys } from './use-table-keys.ts'

const ROW_HEIGHT = { normal: 49, compact: 37 } as const
const HEAD_HEIGHT = 40
/** A card of a narrow screen: its heading, and each of its lines. */
const CARD_HEIGHT = 48
const LINE_HEIGHT = 22
const OVERSCAN = 4

/**
 * Rows with columns, sorted, selected and acted on; on a narrow screen each row is a card. It knows the five states of a list:
 * on its way, there, empty, failed, forbidden.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, error } = props
  if (rows === undefined) {
    return error === undefined || error === null ? <Skeleton /> : <Fault error={error} onRetry={props.onRetry} />
  }
  return rows.length === 0 ? props.empty : <Rows {...props} rows={rows} />
}

function Rows<Row>(props: DataTableProps<Row> & { readonly rows: readonly Row[] }) {
  const { rows, columns, selecting, rowActions, maxHeight, idOf, density = 'normal' } = props
  const isRoomy = useMedia(ROOMY)
  const table = useRef<HTMLDivElement>(null)
  const rowHeight = isRoomy ? ROW_HEIGHT[density] : CARD_HEIGHT + LINE_HEIGHT * columns.length
  const isWindowed = maxHeight !== undefined
  const windowing = useWindowing(table, { count: rows.length, rowHeight, overscan: OVERSCAN, headHeight: HEAD_HEIGHT })
  const [first, end] = isWindowed ? [windowing.first, windowing.end] : [0, rows.length]
  const above = isWindowed ? windowing.shift + (first - windowing.base) * rowHeight : 0
  const below = isWindowed ? Math.max(0, windowing.height - above - (end - first) * rowHeight) : 0
  const keys = useTableKeys({ table, rows, idOf, selecting, rowHeight, windowing: isWindowed ? windowing : undefined })
  useFocusAfterRemoval(table, rows.length)
  const isGrid = selecting !== undefined
  const style: CSSProperties & Record<`--${string}`, string> = { '--columns': tracksOf(props) }
  if (isWindowed) Object.assign(style, { maxHeight, '--row-height': `${rowHeight}px` })
  return (
    <>
      {selecting !== undefined && <SelectionBar {...selecting} pageIds={rows.map(idOf)} />}
      <div
        ref={table}
        className={classNames(styles['table'], styles[density], isWindowed && styles['windowed'])}
        style={style}
        role={isGrid ? 'grid' : 'table'}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-multiselectable={isGrid || undefined}
        tabIndex={-1}
      >
        <TableHead {...props} />
        <div role="rowgroup" className={styles['body']}>
          {above > 0 && <div className={styles['spacer']} style={{ height: above }} />}
          {rows.slice(first, end).map((row, at) => (
            <TableRow
              key={idOf(row)}
              row={row}
              index={first + at}
              isRoomy={isRoomy}
              isStop={first + at === keys.focus}
              onFocus={keys.onFocus}
              onKeyDown={isGrid ? keys.onKeyDown : undefined}
              columns={columns}
              rowActions={rowActions}
              selecting={selecting}
              onPick={keys.onPick}
              idOf={idOf}
              nameOf={props.nameOf}
              detail={props.detail}
              onExpand={props.onExpand}
              isUnread={props.isUnread}
            />
          ))}
          {below > 0 && <div className={styles['spacer']} style={{ height: below }} />}
        </div>
      </div>
    </>
  )
}

function tracksOf<Row>({ columns, selecting, rowActions }: DataTableProps<Row>): string {
  return [
    ...(selecting === undefined ? [] : ['36px']),
    ...columns.map(({ width = 'minmax(0, 1fr)' }) => width),
    ...(rowActions === undefined ? [] : ['auto']),
  ].join(' ')
}

/** Who removed a row by its own button would stand nowhere. */
function useFocusAfterRemoval(table: { readonly current: HTMLElement | null }, count: number): void {
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) table.current?.focus()
    before.current = count
  }, [table, count])
}

const SKELETON_ROWS = [64, 48, 80] as const

/** The shape of rows that are on their way; not shown in the first 200 ms. */
function Skeleton() {
  const texts = useTexts()
  return (
    <div className={styles['skeleton']} role="status" aria-label={texts('app.loading')}>
      {SKELETON_ROWS.map((width) => (
        <div key={width}>
          <i style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}

function Fault({ error, onRetry }: { readonly error: unknown; readonly onRetry: (() => void) | undefined }): ReactNode {
  const texts = useTexts()
  if (isFailure(error, 'PERMISSION_DENIED')) {
    return (
      <StatePanel icon={<Lock size={28} />} title={texts('table.denied.title')} text={texts('table.denied.text')} />
    )
  }
  return (
    <StatePanel
      kind="error"
      icon={<TriangleAlert size={28} />}
      title={texts('table.failed')}
      text={texts.failure(error)}
      reference={texts.reference(error)}
      actions={
        onRetry !== undefined && (
          <Button kind="solid" onClick={onRetry}>
            {texts('common.retry')}
          </Button>
        )
      }
    />
  )
}
