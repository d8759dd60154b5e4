import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { Opening } from '../opening.tsx'
import { CellGrid } from '../text/cell-grid.tsx'
import text from '../text/text.module.css'
import type { ViewProps } from '../view-props.ts'
import { readWorkbook } from './read-workbook.ts'
import styles from './sheet.module.css'

const MAX_ROWS = 100_000

/** A workbook: its cells as they were saved, sheet by sheet. Nothing is computed. */
export function SheetView({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const [chosen, choose] = useState(0)
  const { data: sheets, error } = useQuery({
    queryKey: ['preview-sheet', file.url],
    queryFn: ({ signal }) => readWorkbook({ url: file.url, size: file.size, signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  useEffect(() => {
    if (error !== null) onBroken(error)
  }, [error, onBroken])
  if (sheets === undefined) return <Opening name={file.name} />
  const rows = sheets[chosen]?.rows ?? []
  const count = Math.min(rows.length, MAX_ROWS)
  return (
    <>
      <CellGrid key={chosen} name={file.name} rows={rows} count={count} />
      <div className={text['foot']}>
        <div className={styles['tabs']} role="tablist" aria-label={texts('preview.sheet.tabs')} translate="no">
          {sheets.map(({ name }, at) => (
            <button key={name} type="button" role="tab" aria-selected={at === chosen} onClick={() => choose(at)}>
              {name}
            </button>
          ))}
        </div>
        <span role="status">
          {rows.length > MAX_ROWS ? texts('preview.sheet.cut', { count }) : texts('preview.table.rows', { count })}
        </span>
      </div>
    </>
  )
}
