import type { Clock } from '@godwit/base'

/**
 * One look serves everybody who asks within `keepMs`: many open pages cost what one does.
 * A look that failed is not kept.
 */
export function sharedLook<Value>(clock: Clock, keepMs: number, look: () => Promise<Value>): () => Promise<Value> {
  let held: { readonly at: number; readonly value: Promise<Value> } | undefined
  return () => {
    const now = clock.monotonic()
    if (held !== undefined && now - held.at < keepMs) return held.value
    const value = look()
    const fresh = { at: now, value }
    held = fresh
    value.catch(() => {
      if (held === fresh) held = undefined
    })
    return value
  }
}
