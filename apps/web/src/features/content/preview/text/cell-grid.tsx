import { useEffect, useMemo, useRef } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { useWindowing } from '../../../../lib/use-windowing.ts'
import { columnWidths } from './column-widths.ts'
import styles from './text.module.css'

const ROW_HEIGHT = 32
const AHEAD = 200

export interface CellGridProps {
  readonly name: string
  readonly rows: ReadonlyArray<readonly string[]>
  /** The rows grow in place; this says how far. */
  readonly count: number
  /** Called while the last rows are near the ones that are seen. */
  readonly onNearEnd?: () => void
}

/** Rows and columns of text, drawn as far as they are seen. */
export function CellGrid({ name, rows, count, onNearEnd }: CellGridProps) {
  const texts = useTexts()
  const ref = useRef<HTMLDivElement>(null)
  const { first, end, height, shift, base } = useWindowing(ref, { count, rowHeight: ROW_HEIGHT, overscan: 6 })
  useEffect(() => {
    if (end > count - AHEAD) onNearEnd?.()
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
