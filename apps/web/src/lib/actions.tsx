import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import { createStore, type Store, useStore } from './store.ts'
import type { PortalKey } from './texts.tsx'
import { isSingleKey, isTyping, matchesShortcut, type Shortcut } from './shortcuts.ts'
import { readStored, writeStored } from './storage.ts'

export type ActionGroup = 'navigation' | 'selection' | 'files' | 'uploads' | 'general'

/** One thing a person can do. Toolbar, row menu, keyboard and the sheet of shortcuts all read this one definition. */
export interface Action<Context> {
  readonly id: string
  readonly label: PortalKey
  readonly group: ActionGroup
  readonly shortcuts?: readonly Shortcut[]
  /** False hides it: the permission or the kind of selection does not allow it at all. */
  isOffered(context: Context): boolean
  run(context: Context): void
}

/** An action with its context filled in. */
export interface BoundAction {
  readonly id: string
  readonly label: PortalKey
  readonly group: ActionGroup
  readonly shortcuts: readonly Shortcut[]
  readonly isOffered: boolean
  readonly run: () => void
}

export function bindActions<Context>(
  actions: ReadonlyArray<Action<Context>>,
  context: Context,
): readonly BoundAction[] {
  return actions.map((action) => ({
    id: action.id,
    label: action.label,
    group: action.group,
    shortcuts: action.shortcuts ?? [],
    isOffered: action.isOffered(context),
    run: () => action.run(context),
  }))
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
  const action = actions.find(({ isOffered, shortcuts }) => isOffered && shortcuts.some(fits))
  if (action === undefined) return false
  event.preventDefault()
  action.run()
  return true
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

/** Makes actions reachable by keyboard and lists them in the sheet while the calling screen is shown. */
export function useRegisteredActions(actions: readonly BoundAction[]): void {
  const registry = useActionRegistry()
  useEffect(() => registry.register(actions), [registry, actions])
}

export function useActions(): readonly BoundAction[] {
  return useStore(useActionRegistry().all)
}
