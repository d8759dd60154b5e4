/**
 * What happens, by name, with its payload. Features add theirs by declaration merging
 * (`declare module '../../kernel/events/bus.ts'`), so that no layer names a higher one.
 */
export interface Signals {}

export type SignalName = keyof Signals
type Listener<Name extends SignalName> = (payload: Signals[Name]) => void

/** Tells whoever listens now; nothing is kept. For what must not be lost, use the outbox. */
export interface Bus {
  publish<Name extends SignalName>(name: Name, payload: Signals[Name]): void
  /** @returns a function that ends the subscription */
  subscribe<Name extends SignalName>(name: Name, listener: Listener<Name>): () => void
}

/**
 * @param onError receives what a listener throws; the other listeners still run
 */
export function createBus(onError: (name: string, thrown: unknown) => void): Bus {
  const listeners = new Map<SignalName, Set<(payload: never) => void>>()
  return {
    publish(name, payload) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          listener(payload as never)
        } catch (thrown) {
          onError(name, thrown)
        }
      }
    },
    subscribe(name, listener) {
      const group = listeners.get(name) ?? new Set()
      listeners.set(name, group.add(listener))
      return () => group.delete(listener)
    },
  }
}
