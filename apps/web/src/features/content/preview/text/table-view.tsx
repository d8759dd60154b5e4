import { useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import type { ViewProps } from '../view-props.ts'
import type { Encoding } from './encodings.ts'
import { collectRows, type RowCollector, separatorOf } from './table-rows.ts'
import { CellGrid } from './cell-grid.tsx'
import { TextFoot } from './text-foot.tsx'
import styles from './text.module.css'
import { useTextWindows } from './use-text-windows.ts'

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
        <CellGrid rows={sink.rows} count={count} onNearEnd={more} name={file.name} />
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
