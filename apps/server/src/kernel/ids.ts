import { randomHex, type Clock, type Random } from '@godwit/base'

/** Makes identifiers: 128 bits in hex, the first 48 the time in milliseconds (as UUIDv7), so that indexes grow at one end. */
export interface Ids {
  next(): string
}

export function timeOrderedIds(clock: Clock, random: Random): Ids {
  return { next: () => clock.now().toString(16).padStart(12, '0') + randomHex(random, 10) }
}
