import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTypeAhead } from '../../../lib/use-type-ahead.ts'
import { modifiersOf, openMenu } from './grid-events.ts'
import { keyedSelection } from './grid-keys.ts'
import type { FileGridProps } from './grid-props.ts'
import { findByPrefix, isFolder } from './listing.ts'
import { only } from './selection.ts'

export interface GridMoves {
  /** Scrolls to an entry. */
  readonly show: (row: number) => void
  /** The entry that a key leads to. */
  readonly step: (focus: number, key: string) => number | undefined
}

/** What the keyboard does to the list. */
export function useGridKeys(props: FileGridProps, moves: GridMoves) {
  const typeAhead = useTypeAhead()
  const shownFocus = useRef(props.isFocusSeen ? -1 : props.selection.focus)
  const { focus } = props.selection
  const latest = useRef(moves)
  latest.current = moves
  useEffect(() => {
    // Only a moved focus scrolls; new rows arriving in the background do not.
    if (focus >= 0 && focus !== shownFocus.current) latest.current.show(focus)
    shownFocus.current = focus
  }, [focus])
  return (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget) return
    if (props.isMenuOpen) return event.preventDefault()
    const { listing, selection, onSelect } = props
    const key = { key: event.key, ...modifiersOf(event), alt: event.altKey }
    const moved = listing.total === 0 ? undefined : keyedSelection(selection, key, moves.step)
    if (moved !== undefined) {
      event.preventDefault()
      onSelect(moved)
      return
    }
    if (event.key === 'Enter' && !event.altKey && focus >= 0) {
      event.preventDefault()
      props.onOpen(focus)
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault()
      openMenuByKey(props)
    } else {
      const row = typeAhead(event, focus, (prefix, from) => findByPrefix(listing, prefix, from))
      if (row !== undefined && row >= 0) onSelect(only(row))
      else if (row === undefined && event.key !== ' ') return
      // On what is selected already it looks into the file.
      else if (row === undefined && focus >= 0 && !isFolder(listing.types[focus] ?? 0)) props.onOpen(focus)
      event.preventDefault()
    }
  }
}

function openMenuByKey(props: FileGridProps): void {
  const { focus } = props.selection
  const grid = props.gridRef.current
  const row = grid?.querySelector(`[data-row="${focus}"]`) ?? grid?.querySelector('[role=row]')
  if (row === null || row === undefined) return
  const box = row.getBoundingClientRect()
  openMenu(props, focus, { x: box.left + 80, y: box.bottom })
}
