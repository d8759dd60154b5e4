import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import { createStore, type Store } from './store.ts'
import type { PortalKey } from './texts.tsx'
import { isSingleKey, isTyping, matchesShortcut, type Shortcut } from './shortcuts.ts'
import { readStored, writeStored } from './storage.ts'

export type ActionGroup = 'navigation' | 'selection' | 'files' | 'uploads' | 'general'

/** How an action is named, drawn and reached, wherever it appears. */
export interface ActionFacts {
  readonly name: string
  readonly label: PortalKey
  /** When it is the right one of several; menus show it. */
  readonly hint?: PortalKey
  readonly group: ActionGroup
  readonly icon?: LucideIcon
  readonly keys?: readonly Shortcut[]
  /** The browser turns its keys into an event of its own, which runs it; the sheet of shortcuts only shows them. */
  readonly isNative?: true
  /** `solid` for the one that is most likely wanted, `danger` for what destroys something. */
  readonly tone?: 'solid' | 'danger'
}

/** One thing a person can do. Toolbar, row menu, keyboard and the sheet of shortcuts all read this one definition. */
export interface Action<Context> extends ActionFacts {
  /** False hides it: the permission or the kind of selection does not allow it at all. Absent: always. */
  when?(context: Context): boolean
  run(context: Context): void
}

/** An action with its context filled in. */
export interface BoundAction extends ActionFacts {
  readonly isOffered: boolean
  readonly run: () => void
}

export function bindActions<Context>(
  actions: ReadonlyArray<Action<Context>>,
  context: Context,
): readonly BoundAction[] {
  return actions.map((action) => ({
    ...action,
    isOffered: action.when?.(context) ?? true,
    run: () => action.run(context),
  }))
}

/** The actions of these names that are offered, in the order of the names. */
export function offeredActions(actions: readonly BoundAction[], names: readonly string[]): readonly BoundAction[] {
  return names.flatMap((name) => actions.filter((action) => action.name === name && action.isOffered))
}

/** Every action that a screen on the page has registered. */
export interface ActionRegistry {
  readonly all: Store<readonly BoundAction[]>
  /** Single-key shortcuts may be switched off. */
  readonly singleKeys: Store<boolean>
  register(actions: readonly BoundAction[]): () => void
}

const SINGLE_KEYS = 'godwit.single-keys'

export function createActionRegistry(): ActionRegistry {
  const sets = new Set<readonly BoundAction[]>()
  const all = createStore<readonly BoundAction[]>([])
  const singleKeys = createStore(readStored(SINGLE_KEYS) !== 'off')
  singleKeys.subscribe(() => writeStored(SINGLE_KEYS, singleKeys.get() ? undefined : 'off'))
  return {
    all,
    singleKeys,
    register(actions) {
      sets.add(actions)
      all.set([...sets].flat())
      return () => {
        sets.delete(actions)
        all.set([...sets].flat())
      }
    },
  }
}

/**
 * Runs the offered action that the key belongs to.
 * @returns true when one did
 */
export function runShortcut(event: KeyboardEvent, actions: readonly BoundAction[], singleKeys: boolean): boolean {
  const fits = (shortcut: Shortcut): boolean =>
    matchesShortcut(event, shortcut) && (singleKeys || !isSingleKey(shortcut))
  const action = actions.find(({ isOffered, isNative, keys = [] }) => isOffered && !isNative && keys.some(fits))
  if (action === undefined) return false
  event.preventDefault()
  action.run()
  return true
}

/** Enter and Space on a button or a link press that. */
function isPress({ key, target }: KeyboardEvent): boolean {
  return (key === 'Enter' || key === ' ') && target instanceof Element && target.closest('a, button, summary') !== null
}

const RegistryContext = createContext<ActionRegistry | undefined>(undefined)

export function ActionsProvider({ children }: { readonly children: ReactNode }) {
  const registry = useMemo(createActionRegistry, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // A dialog or an open menu owns the keyboard while it is there.
      if (
        event.defaultPrevented ||
        isTyping(event.target) ||
        isPress(event) ||
        document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]')
      )
        return
      runShortcut(event, registry.all.get(), registry.singleKeys.get())
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [registry])
  return <RegistryContext value={registry}>{children}</RegistryContext>
}

export function useActionRegistry(): ActionRegistry {
  const registry = use(RegistryContext)
  if (registry === undefined) throw new Error('no action registry around this component')
  return registry
}

/** Makes actions reachable by keyboard while the calling screen is shown. */
export function useRegisteredActions(actions: readonly BoundAction[]): void {
  const registry = useActionRegistry()
  useEffect(() => registry.register(actions), [registry, actions])
}
