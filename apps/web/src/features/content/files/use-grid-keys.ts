import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { type BoundAction, useActionRegistry } from '../../../lib/actions.tsx'
import { useServices } from '../../../lib/services.tsx'
import { modifiersOf, openMenu } from './grid-events.ts'
import { createTypeAhead, keyedSelection } from './grid-keys.ts'
import type { FileGridProps } from './grid-props.ts'
import { only } from './selection.ts'

export interface GridMoves {
  /** Scrolls to an entry. */
  readonly show: (row: number) => void
  /** The entry that a key leads to. */
  readonly step: (focus: number, key: string) => number | undefined
}

/** What the keyboard does to the list. */
export function useGridKeys(props: FileGridProps, moves: GridMoves) {
  const { clock } = useServices()
  const registry = useActionRegistry()
  const typeAhead = useMemo(createTypeAhead, [])
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
    } else if (isLetter(event)) {
      // The first letter may be a shortcut; once a name is being typed it is a letter.
      const isShortcut = registry.singleKeys.get() && hasShortcut(registry.all.get(), event.key)
      if (isShortcut && !typeAhead.isTyping(clock.monotonic())) return
      const row = typeAhead.find(listing, focus, event.key, clock.monotonic())
      if (row >= 0) onSelect(only(row))
      event.preventDefault()
    }
  }
}

/** What type-ahead takes: one character that can stand in a name. `/` and `?` cannot, so they stay free for shortcuts. */
function isLetter(event: KeyboardEvent): boolean {
  return (
    event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !/[\s/?\\:*"<>|]/.test(event.key)
  )
}

function hasShortcut(actions: readonly BoundAction[], key: string): boolean {
  return actions.some(({ isOffered, keys = [] }) => isOffered && keys.includes(key))
}

function openMenuByKey(props: FileGridProps): void {
  const { focus } = props.selection
  const row = props.gridRef.current?.querySelector(`[data-row="${focus}"]`)
  if (focus < 0 || row === null || row === undefined) return
  const box = row.getBoundingClientRect()
  openMenu(props, focus, { x: box.left + 80, y: box.bottom })
}
