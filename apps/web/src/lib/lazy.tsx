import { type ComponentType, type FunctionComponent, type ReactNode, useEffect } from 'react'
import { createStore, type Store, useStore } from './store.ts'

interface Fetched<Module> {
  readonly module?: Module
  readonly failure?: Error
}

/** Code that is fetched with the first use of one of its parts, or before. */
export interface LazyModule<Module> {
  readonly state: Store<Fetched<Module>>
  prefetch(): void
}

export function lazyModule<Module>(load: () => Promise<Module>): LazyModule<Module> {
  const state = createStore<Fetched<Module>>({})
  let isAsked = false
  return {
    state,
    prefetch() {
      if (isAsked) return
      isAsked = true
      load().then(
        (module) => state.set({ module }),
        (cause: unknown) => state.set({ failure: new Error('a part of the page did not arrive', { cause }) }),
      )
    },
  }
}

/**
 * A component out of such code; the fallback stands in until it is there, and a failure goes to the nearest error boundary.
 * React's own `lazy` would keep a screen back for 300 ms after its fallback, however soon the code came.
 */
export function lazyPart<Module, Props extends object>(
  { state, prefetch }: LazyModule<Module>,
  pick: (module: Module) => ComponentType<Props>,
  fallback: ReactNode = null,
): FunctionComponent<Props> {
  return function LazyPart(props: Props) {
    const { module, failure } = useStore(state)
    useEffect(prefetch, [])
    if (failure !== undefined) throw failure
    if (module === undefined) return fallback
    const Part = pick(module)
    return <Part {...props} />
  }
}
