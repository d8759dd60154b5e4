import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { type BoundAction, bindActions } from '../../lib/actions.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { Button, IconButton } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Hidden } from '../hidden.tsx'
import styles from './data-table.module.css'
import type { DataTableProps } from './table-props.ts'
import { isRowSelected } from './table-selection.ts'

type FromTable = 'columns' | 'rowActions' | 'selecting' | 'idOf' | 'nameOf' | 'detail' | 'onExpand' | 'isUnread'

export interface TableRowProps<Row> extends Pick<DataTableProps<Row>, FromTable> {
  readonly row: Row
  readonly index: number
  readonly isRoomy: boolean
  /** The one row of a grid that Tab leads to. */
  readonly isStop: boolean
  readonly onFocus: (index: number) => void
  readonly onKeyDown: ((event: KeyboardEvent<HTMLElement>) => void) | undefined
  /** The box was pressed; with Shift from the row before. */
  readonly onPick: (index: number, isRange: boolean) => void
}

/** One row, or its card. */
export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, index, isRoomy, columns, rowActions, selecting, idOf, nameOf, detail, onExpand } = props
  const texts = useTexts()
  const detailId = useId()
  const [isOpen, setOpen] = useState(false)
  const isSelected = selecting !== undefined && isRowSelected(selecting.selection, idOf(row))
  const cellRole = selecting === undefined ? 'cell' : 'gridcell'
  const isUnread = props.isUnread?.(row) ?? false
  const toggle = (): void => {
    setOpen(!isOpen)
    if (!isOpen) onExpand?.(row)
  }
  const shown = isRoomy ? columns : columns.filter(({ narrow }) => narrow !== 'none')
  return (
    <>
      <div
        role="row"
        className={classNames(styles['line'], styles['row'], isUnread && styles['unread'])}
        aria-rowindex={index + 2}
        aria-selected={selecting === undefined ? undefined : isSelected}
        tabIndex={selecting === undefined ? undefined : props.isStop ? 0 : -1}
        data-row={index}
        onFocus={() => props.onFocus(index)}
        onKeyDown={props.onKeyDown}
      >
        {selecting !== undefined && (
          <div role={cellRole} className={styles['check']}>
            <input
              type="checkbox"
              checked={isSelected}
              disabled={selecting.isWaiting}
              readOnly
              onClick={(event: MouseEvent) => props.onPick(index, event.shiftKey)}
              aria-label={texts('files.select-row', { name: nameOf(row) })}
            />
          </div>
        )}
        {shown.map((column) => (
          <div
            key={column.id}
            role={cellRole}
            className={classNames(
              styles['cell'],
              column.isNumeric === true && styles['numeric'],
              column.narrow === 'title' && styles['title'],
            )}
          >
            {column.narrow === 'title' ? (
              <Title expander={detail === undefined ? undefined : { isOpen, controls: detailId, onToggle: toggle }}>
                {column.cell(row)}
                {isUnread && <UnreadMark />}
              </Title>
            ) : isRoomy ? (
              column.cell(row)
            ) : (
              <>
                <span className={styles['name']}>{column.header}</span>
                <div className={styles['value']}>{column.cell(row)}</div>
              </>
            )}
          </div>
        ))}
        {rowActions !== undefined && (
          <div role={cellRole} className={styles['actions']}>
            {bindActions(rowActions, row).map((action) => (
              <RowAction key={action.name} action={action} rowName={nameOf(row)} />
            ))}
          </div>
        )}
      </div>
      {detail !== undefined && (
        <div role="row" className={styles['detail']} id={detailId} hidden={!isOpen}>
          <div role={cellRole} aria-colspan={columns.length}>
            {isOpen && detail(row)}
          </div>
        </div>
      )}
    </>
  )
}

interface TitleProps {
  /** Absent: nothing opens below the row. */
  readonly expander: { readonly isOpen: boolean; readonly controls: string; readonly onToggle: () => void } | undefined
  readonly children: ReactNode
}

function Title({ expander, children }: TitleProps) {
  if (expander === undefined) return children
  const { isOpen, controls, onToggle } = expander
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      className={styles['expander']}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      <Chevron size={18} aria-hidden="true" />
      {children}
    </button>
  )
}

function UnreadMark() {
  const texts = useTexts()
  return (
    <span className={styles['dot']} data-testid="unread">
      <Hidden>{texts('table.unread')}</Hidden>
    </span>
  )
}

function RowAction({ action, rowName }: { readonly action: BoundAction; readonly rowName: string }) {
  const texts = useTexts()
  if (!action.isOffered) return null
  const { icon: Icon, tone, run } = action
  const word = texts(action.label)
  const label = texts('table.row-action', { action: word, name: rowName })
  return Icon === undefined ? (
    <Button kind={tone ?? 'outline'} onClick={run} aria-label={label} data-action={action.name}>
      {word}
    </Button>
  ) : (
    <IconButton label={label} icon={<Icon size={18} aria-hidden="true" />} onClick={run} data-action={action.name} />
  )
}
