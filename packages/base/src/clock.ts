import type { Millis } from './units.ts'

/** Where time comes from. Code below the kernel never calls Date.now itself, so that tests can move time. */
export interface Clock {
  /** Wall clock, Unix milliseconds. Jumps when the machine's clock is set: for expiry dates, never for durations. */
  now(): Millis
  /** Milliseconds since an arbitrary start; never goes back. For durations and time-outs. */
  monotonic(): Millis
}

export const systemClock: Clock = {
  now: () => Date.now() as Millis,
  monotonic: () => performance.now() as Millis,
}

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  advance(ms: number): void
  set(unixMs: number): void
}

export function fakeClock(startUnixMs = 1_800_000_000_000): FakeClock {
  let wall = startUnixMs
  let steady = 0
  return {
    now: () => wall as Millis,
    monotonic: () => steady as Millis,
    advance(ms) {
      wall += ms
      steady += ms
    },
    set(unixMs) {
      wall = unixMs
    },
  }
}

/** The same clock, a millisecond earlier whenever somebody looks: as of servers of which each is a little behind the one before. */
export function laggingClock(clock: FakeClock): Clock {
  let behind = 0
  return {
    now: () => (clock.now() - behind++) as Millis,
    monotonic: () => clock.monotonic(),
  }
}
