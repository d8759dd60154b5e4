import type { Micros } from './session.types.ts'

/** Highest delivery rate of this probe cycle and the one before. */
export interface MaxRate {
  readonly value: number
  update(rate: number): void
  /** A cycle is over: what only the one before it saw is forgotten. */
  advance(): void
  /** Reduces the estimate by this share: competing flows need capacity. */
  scale(share: number): void
}

export function newMaxRate(): MaxRate {
  let current = 0
  let previous = 0
  return {
    get value() {
      return Math.max(current, previous)
    },
    update(rate) {
      if (rate > current) current = rate
    },
    advance() {
      if (current === 0) return
      previous = current
      current = 0
    },
    scale(share) {
      current *= share
      previous *= share
    },
  }
}

/** A sample this near to the minimum shows an empty queue, so the minimum is still true. */
const NEAR = 1.02
const NEAR_US = 500

/** Round trip of the empty path. */
export interface MinRtt {
  readonly value: Micros
  /** When a sample last came near to it. */
  readonly seenAt: Micros
  update(now: Micros, sampleUs: Micros): void
  /** Takes the lowest sample of the last probe: the path may have become longer. */
  renew(now: Micros): void
}

export function newMinRtt(startedAt: Micros, firstUs: Micros): MinRtt {
  let value = firstUs
  let seenAt = startedAt
  let lowest = Infinity
  return {
    get value() {
      return value
    },
    get seenAt() {
      return seenAt
    },
    update(now, sampleUs) {
      lowest = Math.min(lowest, sampleUs)
      if (sampleUs < value) value = sampleUs
      if (sampleUs > value * NEAR + NEAR_US) return
      seenAt = now
      lowest = sampleUs
    },
    renew(now) {
      if (lowest < Infinity) value = lowest
      lowest = Infinity
      seenAt = now
    },
  }
}
