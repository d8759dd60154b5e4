import { type KeyboardEvent, useMemo } from 'react'
import { useActionRegistry } from './actions.tsx'
import { useServices } from './services.tsx'
import { createTypeAhead, type FindByPrefix } from './type-ahead.ts'

/**
 * Type-ahead of a list.
 * @returns a function that answers with the row that a letter leads to, -1 when no name begins with it, and undefined when the
 * key is not a letter or belongs to a shortcut
 */
export function useTypeAhead(): (event: KeyboardEvent, focus: number, find: FindByPrefix) => number | undefined {
  const { clock } = useServices()
  const registry = useActionRegistry()
  const typeAhead = useMemo(createTypeAhead, [])
  return (event, focus, find) => {
    const isTyping = typeAhead.isTyping(clock.monotonic())
    if (!isLetter(event) && !(event.key === ' ' && isTyping)) return undefined
    // The first letter may be a shortcut, which dialogs do not have; once a name is being typed it is a letter.
    const hasShortcuts = registry.singleKeys.get() && event.currentTarget.closest('[role="dialog"]') === null
    const isShortcut =
      hasShortcuts && registry.all.get().some(({ isOffered, keys = [] }) => isOffered && keys.includes(event.key))
    if (isShortcut && !isTyping) return undefined
    return typeAhead.find(find, focus, event.key, clock.monotonic())
  }
}

/** What type-ahead takes: one character that can stand in a name. `/` and `?` cannot, so they stay free for shortcuts. */
function isLetter(event: KeyboardEvent): boolean {
  return (
    event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !/[\s/?\\:*"<>|]/.test(event.key)
  )
}
