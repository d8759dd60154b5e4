/**
 * Which rows of a long list stand on the screen, and where. Rows have one height, so nothing is measured and nothing is kept
 * per row. Browsers cut boxes off (Chrome at 33,554,428 px, Firefox at about 17.9 million), so above 8 million pixels the
 * scroll bar moves a scaled distance: `top` is the place in the full list, `scrollTop` the scaled one of the element.
 */
export interface WindowShape {
  readonly count: number
  readonly rowHeight: number
  /** Visible height in pixels. */
  readonly viewport: number
  /** Pixels at its bottom that something floating covers: the last rows can be scrolled free of it. */
  readonly covered?: number
}

export const MAX_SCROLL_HEIGHT = 8_000_000

export function fullHeight({ count, rowHeight }: WindowShape): number {
  return count * rowHeight
}

/** Height of the element that gives the scroll bar its length. */
export function scrollHeight(shape: WindowShape): number {
  return Math.min(fullHeight(shape), MAX_SCROLL_HEIGHT)
}

export function isScaled(shape: WindowShape): boolean {
  return fullHeight(shape) > MAX_SCROLL_HEIGHT
}

/** Pixels of the full list for one pixel of the scroll bar; 1 for lists that fit. */
export function scrollScale(shape: WindowShape): number {
  const scrollable = scrollHeight(shape) - freeHeight(shape)
  return isScaled(shape) && scrollable > 0 ? (fullHeight(shape) - freeHeight(shape)) / scrollable : 1
}

export function topOf(shape: WindowShape, scrollTop: number): number {
  return clampTop(shape, scrollTop * scrollScale(shape))
}

export function scrollTopOf(shape: WindowShape, top: number): number {
  return clampTop(shape, top) / scrollScale(shape)
}

export function clampTop(shape: WindowShape, top: number): number {
  return Math.min(Math.max(0, top), Math.max(0, fullHeight(shape) - freeHeight(shape)))
}

/** What of the visible height nothing covers. */
function freeHeight({ viewport, rowHeight, covered = 0 }: WindowShape): number {
  return Math.max(Math.min(rowHeight, viewport), viewport - covered)
}

/** Rows to render, `first` included, `end` not. */
export function visibleRows(shape: WindowShape, top: number, overscan: number): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor(top / shape.rowHeight) - overscan)
  const end = Math.min(shape.count, Math.ceil((top + shape.viewport) / shape.rowHeight) + overscan)
  return [Math.min(first, end), end]
}

/** The place to scroll to so that a row is wholly visible; unchanged when it is. */
export function topToShow(shape: WindowShape, top: number, row: number): number {
  const start = row * shape.rowHeight
  if (start < top) return start
  const end = start + shape.rowHeight
  return end > top + freeHeight(shape) ? end - freeHeight(shape) : top
}

const BLOCK = 4_096

/** Rows are placed from the start of their block, so that their offsets stay small and do not change while one scrolls. */
export function blockStart(first: number): number {
  return first - (first % BLOCK)
}
