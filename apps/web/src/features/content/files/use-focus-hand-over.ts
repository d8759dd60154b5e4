import { type RefObject, useRef } from 'react'
import type { Layout } from './layout-state.ts'

export interface FocusHandOver {
  /** To be called when a list has been drawn. */
  readonly onDrawn: () => void
  /** Whether the entry with the focus was in sight when the layout changed. */
  readonly isFocusSeen: boolean
}

/** Gives the keyboard to the list when it is drawn in another layout, if the old one had it, or the button that changed it. */
export function useFocusHandOver(layout: Layout, gridRef: RefObject<HTMLDivElement | null>): FocusHandOver {
  const isSeen = useRef(false)
  const shown = useRef(layout)
  const isDue = useRef(false)
  if (shown.current !== layout) {
    isDue.current = isOnList(gridRef.current)
    isSeen.current = isFocusInSight(gridRef.current)
  }
  shown.current = layout
  const onDrawn = (): void => {
    if (isDue.current) gridRef.current?.focus()
    isDue.current = false
  }
  return { onDrawn, isFocusSeen: isSeen.current }
}

function isFocusInSight(grid: HTMLElement | null): boolean {
  const focused = grid?.querySelector('[data-focused]')?.getBoundingClientRect()
  const box = grid?.getBoundingClientRect()
  return focused !== undefined && box !== undefined && focused.bottom > box.top && focused.top < box.bottom
}

function isOnList(grid: HTMLElement | null): boolean {
  const active = document.activeElement
  return active === document.body || grid?.contains(active) === true || active?.matches('[data-action]') === true
}
