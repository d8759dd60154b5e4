import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { useWindowing } from '../../../../lib/use-windowing.ts'
import type { ViewProps } from '../view-props.ts'
import type { Encoding } from './encodings.ts'
import { TextFoot } from './text-foot.tsx'
import { collectLines, type TextLines } from './text-lines.ts'
import styles from './text.module.css'
import { useTextWindows } from './use-text-windows.ts'

const LINE_HEIGHT = 20
/** Lines before the end at which the next piece is fetched. */
const AHEAD = 200

/** Text and code, fetched and drawn as far as it is scrolled to. */
export function TextView({ file, onBroken }: ViewProps) {
  const [chosen, choose] = useState<Encoding>()
  const text = useTextWindows({ ...file, chosen, onBroken, createSink: collectLines })
  const { sink, more } = text
  return (
    <>
      {sink === undefined ? (
        <div className={styles['scroll']} aria-busy="true" />
      ) : (
        <Lines {...sink} onNearEnd={more} name={file.name} />
      )}
      <TextFoot size={file.size} encoding={text.encoding} onEncoding={choose} isLoading={text.isLoading} />
    </>
  )
}

interface LinesProps extends TextLines {
  readonly name: string
  readonly onNearEnd: () => void
}

function Lines({ name, lines, numbers, onNearEnd }: LinesProps) {
  const texts = useTexts()
  const ref = useRef<HTMLDivElement>(null)
  const { first, end, height, shift, base } = useWindowing(ref, {
    count: lines.length,
    rowHeight: LINE_HEIGHT,
    overscan: 10,
  })
  useEffect(() => {
    if (end > lines.length - AHEAD) onNearEnd()
  }, [end, lines.length, onNearEnd])
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
  return (
    <div
      ref={ref}
      className={styles['scroll']}
      role="region"
      aria-label={texts('preview.content', { name })}
      // Keys scroll what has the focus.
      tabIndex={0}
      data-lines={lines.length}
    >
      <div className={styles['lines']} style={{ height }} translate="no">
        {rows.map((row) => (
          <div key={row} className={styles['line']} style={{ top: shift + (row - base) * LINE_HEIGHT }}>
            <span className={styles['number']} aria-hidden="true">
              {numbers[row] === 0 ? '' : numbers[row]}
            </span>
            <span>{lines[row]}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
