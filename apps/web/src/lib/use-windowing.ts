import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import {
  blockStart,
  clampTop,
  isScaled,
  scrollHeight,
  scrollTopOf,
  topOf,
  topToShow,
  visibleRows,
  type WindowShape,
} from './windowing.ts'

export interface Windowing {
  readonly first: number
  readonly end: number
  /** Height of the scrolled element's content. */
  readonly height: number
  /** Row `index` stands at `shift + (index - base) * rowHeight`. */
  readonly shift: number
  readonly base: number
  readonly viewport: number
  /** Place in the full list, pixels. */
  top(): number
  scrollTo(top: number): void
  show(row: number): void
}

export interface WindowingOptions {
  readonly count: number
  readonly rowHeight: number
  readonly overscan: number
  /** Height of what sticks to the top of the scrolled element. */
  readonly headHeight?: number
  readonly initialTop?: number
  /** Pixels at the bottom of the element that something floating covers; the caller leaves as much room after the rows. */
  readonly covered?: number
}

/** Follows the scrolling of an element and says which rows to render. */
export function useWindowing(ref: RefObject<HTMLElement | null>, options: WindowingOptions): Windowing {
  const { count, rowHeight, overscan, headHeight = 0, initialTop = 0, covered = 0 } = options
  const [viewport, setViewport] = useState(0)
  const [top, setTop] = useState(initialTop)
  const shape: WindowShape = { count, rowHeight, viewport, covered }
  const shapeRef = useRef(shape)
  shapeRef.current = shape
  const topRef = useRef(initialTop)

  const scrollTo = useCallback(
    (wanted: number) => {
      const now = shapeRef.current
      topRef.current = clampTop(now, wanted)
      setTop(topRef.current)
      if (ref.current !== null) ref.current.scrollTop = scrollTopOf(now, topRef.current)
    },
    [ref],
  )

  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = (): void => setViewport(Math.max(0, element.clientHeight - headHeight))
    const onScroll = (): void => {
      const now = shapeRef.current
      // Our own exact scrolling sets a rounded position; it must not come back as a coarser one.
      if (Math.abs(element.scrollTop - scrollTopOf(now, topRef.current)) <= 1) return
      topRef.current = topOf(now, element.scrollTop)
      setTop(topRef.current)
    }
    const onWheel = (event: WheelEvent): void => {
      if (!isScaled(shapeRef.current) || event.ctrlKey || event.deltaY === 0) return
      event.preventDefault()
      scrollTo(topRef.current + event.deltaY * (event.deltaMode === 1 ? rowHeight : 1))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('wheel', onWheel)
    }
  }, [ref, headHeight, rowHeight, scrollTo])

  const isMeasured = viewport > 0
  useLayoutEffect(() => {
    // The first height, and rows that went away, may leave the old place impossible or the bar at another one.
    if (isMeasured) scrollTo(topRef.current)
  }, [isMeasured, count, scrollTo])

  const shown = clampTop(shape, top)
  const [first, end] = visibleRows(shape, shown, overscan)
  const base = blockStart(first)
  const shift = isScaled(shape) ? scrollTopOf(shape, shown) - shown + base * rowHeight : base * rowHeight
  return {
    first,
    end,
    height: scrollHeight(shape),
    shift,
    base,
    viewport,
    top: useCallback(() => topRef.current, []),
    scrollTo,
    show: useCallback((row: number) => scrollTo(topToShow(shapeRef.current, topRef.current, row)), [scrollTo]),
  }
}
