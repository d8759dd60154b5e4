import type { Lease, LeaseStore } from './leases.ts'

interface Held {
  readonly owner: string
  readonly value: string
}

/** For one process. Leases never run out: their holder cannot be gone while the memory is there. */
export function createMemoryLeases(): LeaseStore {
  const scopes = new Map<string, Map<string, Held>>()
  let tokens = 0
  const holder = ({ scope, name }: Lease): Held | undefined => scopes.get(scope)?.get(name)
  return {
    isShared: false,
    take(lease, value) {
      if (holder(lease) !== undefined) return Promise.resolve(undefined)
      const names = scopes.get(lease.scope) ?? new Map<string, Held>()
      scopes.set(lease.scope, names.set(lease.name, { owner: lease.owner, value }))
      return Promise.resolve(++tokens)
    },
    renew: (lease) => Promise.resolve(holder(lease)?.owner === lease.owner),
    release(lease) {
      const names = scopes.get(lease.scope)
      if (names?.get(lease.name)?.owner === lease.owner) names.delete(lease.name)
      if (names?.size === 0) scopes.delete(lease.scope)
      return Promise.resolve()
    },
    held: (scope) => Promise.resolve(new Map([...(scopes.get(scope) ?? [])].map(([name, { value }]) => [name, value]))),
    sweep: () => Promise.resolve(),
  }
}
