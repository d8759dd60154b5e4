import type { KeyboardEvent, MouseEvent } from 'react'
import { isSecondClick } from '../../../lib/second-click.ts'
import { isMac } from '../../../lib/shortcuts.ts'
import type { FileGridProps } from './grid-props.ts'
import { click, selectedCount, selectNone, turnOver } from './selection.ts'

/** What the pointer does to the list. The grid listens once for all rows and reads the row from `data-row`. */

function rowOf(target: EventTarget | null): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return row === null ? -1 : Number(row.dataset['row'])
}

export function modifiersOf(event: MouseEvent | KeyboardEvent) {
  return { toggle: isMac(navigator.platform) ? event.metaKey : event.ctrlKey, extend: event.shiftKey }
}

export function onRowClick(event: MouseEvent, props: FileGridProps, justDragged: boolean): void {
  const row = rowOf(event.target)
  const target = event.target as HTMLElement
  // React reports what happens in a menu of the list's head as well.
  if (!event.currentTarget.contains(target)) return
  if (justDragged || target.closest('[data-editor]') !== null) return
  if (isSecondClick(event, props.view.folder)) return event.preventDefault()
  if (row < 0) {
    const isBlank = target.closest('[role="columnheader"]') === null
    if (isBlank && !event.ctrlKey && !event.shiftKey) props.onSelect(selectNone(props.selection))
    return
  }
  const { toggle, extend } = modifiersOf(event)
  const link = target.closest('a')
  if (target.closest('[data-menu]') !== null) {
    const box = target.getBoundingClientRect()
    openMenu(props, row, { x: box.left, y: box.bottom })
  } else if (target.closest('input') !== null) {
    props.onSelect(extend ? click(props.selection, row, { toggle: true, extend }) : turnOver(props.selection, row))
  } else if (link !== null && !toggle && !extend) {
    event.preventDefault()
    props.onOpen(row)
  } else if (!props.isRoomy && !toggle && !extend) {
    // On a phone a tap opens, or goes on selecting once something is selected.
    if (selectedCount(props.selection, props.listing.total) > 0) props.onSelect(turnOver(props.selection, row))
    else props.onOpen(row)
  } else {
    if (link !== null) event.preventDefault()
    props.onSelect(click(props.selection, row, { toggle, extend }))
  }
}

export function onRowDoubleClick(event: MouseEvent, props: FileGridProps): void {
  const target = event.target as HTMLElement
  const row = rowOf(target)
  if (isSecondClick(event, props.view.folder)) return
  if (row >= 0 && target.closest('input, [data-menu], [data-editor]') === null) props.onOpen(row)
}

export function onRowMenu(event: MouseEvent, props: FileGridProps): void {
  if ((event.target as HTMLElement).closest('[data-editor]') !== null) return
  const row = rowOf(event.target)
  if ((event.target as HTMLElement).closest('[role="columnheader"]') !== null) return
  event.preventDefault()
  openMenu(props, row, { x: event.clientX, y: event.clientY })
}

/**
 * The menu of a selected row works on the whole selection. That of another row works on it alone, and selects nothing. Beside
 * the rows it is the menu of the folder.
 */
export function openMenu(props: FileGridProps, row: number, at: { readonly x: number; readonly y: number }): void {
  props.onSelect(row < 0 ? selectNone(props.selection) : { ...props.selection, focus: row })
  props.onMenu(row, at)
}
