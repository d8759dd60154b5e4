import { doOverlap, minuteOf, type PeriodTimes, type WeekTime } from '@godwit/contract/identity/speed-periods'
import { type CSSProperties, type PointerEvent, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { boxOf, type Corner, cornerAt, MINUTES_PER_DAY, timesOf } from './week-drag.ts'
import { ALL_DAYS, nameOfDay } from './week-days.ts'
import styles from './week-grid.module.css'

/** One period as it is drawn. */
export interface WeekBlock extends PeriodTimes {
  /** Its place in the list. */
  readonly at: number
  readonly isWrong: boolean
}

export interface WeekGridProps {
  readonly blocks: readonly WeekBlock[]
  /** By the clock of the server; undefined until it is known. */
  readonly now: WeekTime | undefined
  /** The block that holds now. */
  readonly inForce: number
  /** Whether a new period may take these times. */
  readonly isFree: (times: PeriodTimes) => boolean
  readonly onAdd: (times: PeriodTimes) => void
  /** A block was pressed, or drawn over. */
  readonly onPick: (at: number) => void
}

const HOUR_MARKS = ['00', '06', '12', '18', '24'] as const

/** The periods of a week, drawn by dragging. The list below is its twin for the keyboard and for exact times. */
export function WeekGrid({ blocks, now, inForce, isFree, onAdd, onPick }: WeekGridProps) {
  const texts = useTexts()
  const { drawn, handlers } = useDrawing((times) => {
    if (isFree(times)) onAdd(times)
    else {
      const pressed = blocks.find((block) => doOverlap(block, times))
      if (pressed !== undefined) onPick(pressed.at)
    }
  })
  return (
    <div className={styles['week']} role="img" aria-label={texts('users.periods.week', { count: blocks.length })}>
      <div className={styles['hours']}>
        {HOUR_MARKS.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <div className={styles['days']}>
        {ALL_DAYS.map((day) => (
          <span key={day} className={classNames(Number(day) === now?.day && styles['today'])}>
            {nameOfDay(day, texts.locale)}
          </span>
        ))}
      </div>
      <div className={styles['tracks']} {...handlers}>
        {blocks.flatMap((block) =>
          block.days.map((day) => (
            <div
              key={`${block.at} ${day}`}
              className={classNames(
                styles['block'],
                block.isWrong && styles['wrong'],
                block.at === inForce && styles['inForce'],
              )}
              style={styleOf({ ...block, days: [day] })}
            >
              {block.at + 1}
            </div>
          )),
        )}
        {drawn !== undefined && (
          <div
            className={classNames(styles['drawn'], !isFree(drawn) && styles['wrong'])}
            style={styleOf(drawn)}
            data-times={`${drawn.start}-${drawn.end}`}
          />
        )}
        {now !== undefined && <div className={styles['now']} style={nowStyle(now)} />}
      </div>
    </div>
  )
}

function useDrawing(onDrawn: (times: PeriodTimes) => void) {
  const [drag, setDrag] = useState<{ readonly from: Corner; readonly to: Corner }>()
  const start = useRef<Corner>(undefined)
  const at = (event: PointerEvent<HTMLElement>): Corner =>
    cornerAt(event.currentTarget.getBoundingClientRect(), event.clientX, event.clientY)
  const end = (): void => {
    start.current = undefined
    setDrag(undefined)
  }
  const drawn = drag && timesOf(drag.from, drag.to)
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = at(event)
      setDrag({ from: start.current, to: start.current })
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (start.current !== undefined) setDrag({ from: start.current, to: at(event) })
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (start.current === undefined) return
      const times = timesOf(start.current, at(event))
      end()
      onDrawn(times)
    },
    // A finger that scrolls the page draws nothing.
    onPointerCancel: end,
  }
  return { drawn, handlers }
}

function styleOf(times: PeriodTimes): CSSProperties {
  const { top, height, left, width } = boxOf(times)
  return { top: `${top}%`, height: `${height}%`, left: `${left}%`, width: `${width}%` }
}

function nowStyle({ day, minute }: WeekTime): CSSProperties {
  return { top: `${((day - 1) / 7) * 100}%`, left: `${(minute / MINUTES_PER_DAY) * 100}%` }
}

/** Whether a period has times that can be drawn. */
export function canBeDrawn({ days, start, end }: PeriodTimes): boolean {
  return days.length > 0 && start !== '' && end !== '' && minuteOf(start) < minuteOf(end)
}
