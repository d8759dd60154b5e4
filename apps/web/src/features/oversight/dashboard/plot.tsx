import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { areaOf, type ChartFrame, type ChartPoint, indexAt, linesOf, roundTop } from './chart-shape.ts'
import { clock, type LineChartProps, valuesAt } from './chart-values.ts'
import styles from './line-chart.module.css'

const WIDTH = 600
const HEIGHT = 120
const HOUR_MS = 3_600_000
/** Of a server that has just started. */
const SHORTEST_MS = 5 * 60_000

/** The lines, and the value under the pointer or the arrow keys. */
export function Plot({ title, times, series, format, top, now }: LineChartProps) {
  const texts = useTexts()
  const id = useId()
  const [focus, setFocus] = useState<number>()
  const highest = top ?? roundTop(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const from = Math.max(now - HOUR_MS, Math.min(times[0] ?? now, now - SHORTEST_MS))
  const frame = { from, to: now, top: highest, width: WIDTH, height: HEIGHT }
  const at = Math.min(focus ?? times.length - 1, times.length - 1)
  const time = times[at]
  const point = focus === undefined || time === undefined ? undefined : ((time - from) / (now - from)) * 100
  const onPointer = ({ currentTarget, clientX }: PointerEvent): void => {
    const box = currentTarget.getBoundingClientRect()
    setFocus(indexAt(times, from + ((clientX - box.left) / box.width) * (now - from)))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    setFocus(Math.min(times.length - 1, Math.max(0, at + step)))
  }
  return (
    <div className={styles['plot']}>
      <div
        className={styles['area']}
        role="slider"
        tabIndex={0}
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={time === undefined ? texts('chart.empty') : `${clock(time)} ${valuesAt(series, at, format)}`}
        onPointerMove={onPointer}
        onPointerLeave={() => setFocus(undefined)}
        onKeyDown={onKeyDown}
        onBlur={() => setFocus(undefined)}
      >
        <span id={id} hidden>
          {texts('chart.label', { title })}
        </span>
        <Lines times={times} series={series} frame={frame} />
        {point !== undefined && (
          <>
            <span className={styles['cursor']} style={{ insetInlineStart: `${point}%` }} aria-hidden="true" />
            <span className={styles['value']} data-side={point > 50 ? 'left' : 'right'} aria-hidden="true">
              {time === undefined ? '' : clock(time)} {valuesAt(series, at, format)}
            </span>
          </>
        )}
        {times.length === 0 && <span className={styles['none']}>{texts('chart.empty')}</span>}
      </div>
      <div className={styles['scale']} aria-hidden="true">
        <span>{format(highest)}</span>
        <span>{format(0)}</span>
      </div>
      <div className={styles['times']} aria-hidden="true">
        <span>{clock(from)}</span>
        <span>{clock((from + now) / 2)}</span>
        <span>{clock(now)}</span>
      </div>
    </div>
  )
}

/** A minute has twelve samples. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -12, PageUp: 12 },
  ...{ Home: -Infinity, End: Infinity },
}

interface LinesProps extends Pick<LineChartProps, 'times' | 'series'> {
  readonly frame: ChartFrame
}

function Lines({ times, series, frame }: LinesProps) {
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {[0, 0.5, 1].map((part) => (
        <line key={part} className={styles['grid']} x1={0} x2={WIDTH} y1={HEIGHT * part} y2={HEIGHT * part} />
      ))}
      {series.map(({ name, values }, index) => {
        const points: readonly ChartPoint[] = values.map((value, each) => ({ at: times[each] ?? 0, value }))
        return (
          <g key={name} className={styles[`line${index}`]}>
            {index === 0 && <path className={styles['fill']} d={areaOf(points, frame)} />}
            <path className={styles['stroke']} d={linesOf(points, frame)} />
          </g>
        )
      })}
    </svg>
  )
}
