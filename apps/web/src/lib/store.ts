import { useSyncExternalStore } from 'react'

/** A value that components and plain code read, change and watch alike. */
export interface Store<Value> {
  get(): Value
  set(next: Value): void
  update(change: (value: Value) => Value): void
  /** @returns a function that ends the watching */
  subscribe(listener: () => void): () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  const set = (next: Value): void => {
    if (Object.is(next, value)) return
    value = next
    for (const listener of [...listeners]) listener()
  }
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
