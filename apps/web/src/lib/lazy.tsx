import { type ComponentType, type FunctionComponent, type ReactNode, useEffect, useState } from 'react'
import { loadPart, type MissingPart } from './load-part.ts'
import { useServices } from './services.tsx'
import { createStore, type Store, useStore } from './store.ts'
import { type TextBundle, useTextBundle, useTexts } from './texts.tsx'

interface Fetched<Module> {
  readonly module?: Module
  /** Why the last try failed. */
  readonly failure?: MissingPart | undefined
}

/** Code that is fetched with the first use of one of its parts, or before. */
export interface LazyModule<Module> {
  readonly state: Store<Fetched<Module>>
  /** What it says, fetched with it. */
  readonly texts: TextBundle | undefined
  /** Fetches it unless it is there or on its way. */
  prefetch(): void
}

export function lazyModule<Module>(load: () => Promise<Module>, texts?: TextBundle): LazyModule<Module> {
  const state = createStore<Fetched<Module>>({})
  let isAsked = false
  return {
    state,
    texts,
    prefetch() {
      if (isAsked) return
      isAsked = true
      loadPart(load).then(
        (module) => state.set({ module }),
        (failure: MissingPart) => {
          isAsked = false
          state.set({ failure })
        },
      )
    },
  }
}

/** What one use of the code has: a try that failed before it began is none of its own, since it tries again. */
function useFetched<Module>({ state, texts, prefetch }: LazyModule<Module>): Fetched<Module> {
  const fetched = useStore(state)
  const [before] = useState(fetched.failure)
  const hasTexts = useTextBundle(texts)
  useEffect(() => prefetch(), [prefetch])
  const failure = fetched.failure === before ? undefined : fetched.failure
  return hasTexts && fetched.module !== undefined ? { module: fetched.module, failure } : { failure }
}

/** Fetches code and texts ahead of their first use. */
export function usePrefetch<Module>({ texts, prefetch }: LazyModule<Module>): void {
  useTextBundle(texts)
  useEffect(() => prefetch(), [prefetch])
}

/**
 * A component out of such code; the fallback stands in until it is there, and a failure goes to the nearest error boundary.
 * React's own `lazy` would keep a screen back for 300 ms after its fallback, however soon the code came.
 */
export function lazyPart<Module, Props extends object>(
  code: LazyModule<Module>,
  pick: (module: Module) => ComponentType<Props>,
  fallback: ReactNode = null,
): FunctionComponent<Props> {
  return function LazyPart(props: Props) {
    const { module, failure } = useFetched(code)
    if (failure !== undefined) throw failure
    if (module === undefined) return fallback
    const Part = pick(module)
    return <Part {...props} />
  }
}

interface Closable {
  readonly onClose?: (() => void) | undefined
}

/**
 * A dialog, menu or popover out of such code. When it does not arrive a message says so and it counts as closed, so the page
 * below stays and opening it again tries again; one that cannot be closed goes to the nearest error boundary.
 */
export function lazyWindow<Module, Props extends Closable>(
  code: LazyModule<Module>,
  pick: (module: Module) => ComponentType<Props>,
): FunctionComponent<Props> {
  return function LazyWindow(props: Props) {
    const { messages } = useServices()
    const texts = useTexts()
    const { module, failure } = useFetched(code)
    const { onClose } = props
    useEffect(() => {
      if (failure === undefined || onClose === undefined) return
      messages.fail(failure, texts)
      onClose()
    }, [failure, onClose, messages, texts])
    if (failure !== undefined && onClose === undefined) throw failure
    if (module === undefined) return null
    const Part = pick(module)
    return <Part {...props} />
  }
}
