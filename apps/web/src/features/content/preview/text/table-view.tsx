import { useEffect, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { useWindowing } from '../../../../lib/use-windowing.ts'
import type { ViewProps } from '../view-props.ts'
import type { Encoding } from './encodings.ts'
import { collectRows, type RowCollector, separatorOf } from './table-rows.ts'
import { columnWidths } from './column-widths.ts'
import { TextFoot } from './text-foot.tsx'
import styles from './text.module.css'
import { useTextWindows } from './use-text-windows.ts'

const ROW_HEIGHT = 32
const AHEAD = 200

/** A table of text, fetched and drawn as far as it is scrolled to. Cells are shown as they are written: nothing is computed. */
export function TableView({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const [chosen, choose] = useState<Encoding>()
  const createSink = (text: string): RowCollector => collectRows(separatorOf(text))
  const text = useTextWindows({ ...file, chosen, onBroken, createSink })
  const { sink, more } = text
  const count = sink?.rows.length ?? 0
  return (
    <>
      {sink === undefined ? (
        <div className={styles['scroll']} aria-busy="true" />
      ) : (
        <Rows rows={sink.rows} count={count} onNearEnd={more} name={file.name} />
      )}
      <TextFoot
        size={file.size}
        encoding={text.encoding}
        onEncoding={choose}
        isLoading={text.isLoading}
        note={text.isWhole ? texts('preview.table.rows', { count }) : ''}
      />
    </>
  )
}

interface RowsProps {
  readonly name: string
  readonly rows: RowCollector['rows']
  /** The rows grow in place; this says how far. */
  readonly count: number
  readonly onNearEnd: () => void
}

function Rows({ name, rows, count, onNearEnd }: RowsProps) {
  const texts = useTexts()
  const ref = useRef<HTMLDivElement>(null)
  const { first, end, height, shift, base } = useWindowing(ref, { count, rowHeight: ROW_HEIGHT, overscan: 6 })
  useEffect(() => {
    if (end > count - AHEAD) onNearEnd()
  }, [end, count, onNearEnd])
  const widths = useMemo(() => columnWidths(rows, count), [rows, count])
  const gridTemplateColumns = `56px ${widths.map((width) => `${width}px`).join(' ')}`
  const shown = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  return (
    <div
      ref={ref}
      className={styles['scroll']}
      role="table"
      aria-label={texts('preview.content', { name })}
      aria-rowcount={count}
      // Keys scroll what has the focus.
      tabIndex={0}
    >
      <div className={styles['lines']} style={{ height }} role="rowgroup" translate="no">
        {shown.map((row) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 1}
            className={styles['row']}
            style={{ top: shift + (row - base) * ROW_HEIGHT, gridTemplateColumns }}
          >
            <span className={styles['number']} role="rowheader">
              {row + 1}
            </span>
            {widths.map((_, column) => (
              <span key={column} role="cell" className={styles['cell']} title={rows[row]?.[column]}>
                {rows[row]?.[column]}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
