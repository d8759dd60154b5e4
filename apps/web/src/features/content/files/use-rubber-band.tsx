import { type PointerEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import type { Windowing } from '../../../lib/use-windowing.ts'
import styles from './file-grid.module.css'
import { HEAD_HEIGHT } from './grid-props.ts'
import { band, type Selection } from './selection.ts'

export interface Corner {
  readonly x: number
  /** Pixels in the full list, so that the band grows while the list scrolls. */
  readonly y: number
}

export interface RubberBandOptions {
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly windowing: Windowing
  readonly rowHeight: number
  readonly selection: Selection
  /** What a band between two corners selects. */
  readonly select: (before: Selection, corners: readonly [Corner, Corner], adds: boolean) => Selection
  readonly onSelect: (selection: Selection) => void
}

export interface RubberBand {
  readonly element: ReactNode
  readonly onPointerDown: (event: PointerEvent) => void
  /** True right after a drag, when the browser still sends the click that ends it. */
  readonly justDragged: () => boolean
}

const THRESHOLD = 5
const EDGE = 25

/** Selecting with the mouse by dragging over empty space; near an edge the list scrolls along. */
export function useRubberBand(options: RubberBandOptions): RubberBand {
  const latest = useRef(options)
  latest.current = options
  const [corners, setCorners] = useState<readonly [Corner, Corner]>()
  const dragged = useRef(false)

  const onPointerDown = (down: PointerEvent): void => {
    const target = down.target as HTMLElement
    const isEmpty =
      target.closest('input, button, a, [draggable="true"], [role="columnheader"], [data-editor]') === null
    const grid = latest.current.gridRef.current
    if (down.button !== 0 || down.pointerType !== 'mouse' || !isEmpty || grid?.contains(target) !== true) return
    dragged.current = false
    const begin = cornerAt(grid, latest.current, down.clientX, down.clientY)
    const before = latest.current.selection
    const adds = down.ctrlKey || down.metaKey
    const pointer = { x: down.clientX, y: down.clientY }
    let frame = 0
    const draw = (): void => {
      frame = requestAnimationFrame(draw)
      const box = grid.getBoundingClientRect()
      const { windowing, select, onSelect } = latest.current
      if (pointer.y > box.bottom - EDGE) windowing.scrollTo(windowing.top() + EDGE)
      if (pointer.y < box.top + HEAD_HEIGHT + EDGE) windowing.scrollTo(windowing.top() - EDGE)
      const now = cornerAt(grid, latest.current, pointer.x, pointer.y)
      setCorners([begin, now])
      onSelect(select(before, [begin, now], adds))
    }
    const onMove = (move: globalThis.PointerEvent): void => {
      pointer.x = move.clientX
      pointer.y = move.clientY
      const isFar = Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) > THRESHOLD
      if (dragged.current || !isFar) return
      dragged.current = true
      draw()
    }
    const end = (): void => {
      cancelAnimationFrame(frame)
      setCorners(undefined)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
      setTimeout(() => {
        dragged.current = false
      })
    }
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
  }

  return {
    onPointerDown,
    justDragged: () => dragged.current,
    element: corners === undefined ? null : <Band corners={corners} shift={bodyShift(options)} />,
  }
}

/** Selects the rows of a list under a band. */
export function rowBand({ rowHeight, total }: { readonly rowHeight: number; readonly total: number }) {
  const rowOf = (y: number): number => Math.min(total, Math.floor(y / rowHeight))
  return (before: Selection, [begin, now]: readonly [Corner, Corner], adds: boolean): Selection => {
    const [from, to] = [rowOf(begin.y), rowOf(now.y)]
    const isBelow = Math.min(from, to) >= total
    return isBelow ? band(before, -1, -1, adds) : band(before, Math.min(from, total - 1), Math.min(to, total - 1), adds)
  }
}

function cornerAt(grid: HTMLElement, { windowing }: RubberBandOptions, clientX: number, clientY: number): Corner {
  const box = grid.getBoundingClientRect()
  return {
    x: Math.min(Math.max(clientX - box.left, 0), grid.clientWidth - 1),
    y: Math.max(0, clientY - box.top - HEAD_HEIGHT + windowing.top()),
  }
}

/** What turns a place in the full list into one in the scrolled body. */
function bodyShift({ windowing, rowHeight }: RubberBandOptions): number {
  return windowing.shift - windowing.base * rowHeight
}

function Band({
  corners: [one, other],
  shift,
}: {
  readonly corners: readonly [Corner, Corner]
  readonly shift: number
}) {
  const style = {
    left: Math.min(one.x, other.x),
    top: Math.min(one.y, other.y) + shift,
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  }
  return <div className={styles['band']} style={style} />
}
