import type { Random } from '@godwit/base'

/** Fast seeded numbers for simulations (sfc32): whole 32-bit arithmetic, so the same on every machine. */
export interface Dice {
  /** 0 up to, but not, 1. */
  next(): number
}

export function newDice(seed: number): Dice {
  let a = seed >>> 0
  let b = 0x9e3779b9
  let c = 0x243f6a88
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 4294967296
  }
  for (let round = 0; round < 15; round++) next()
  return { next }
}

/** The byte source that sessions take, drawn from dice. */
export function randomOf(dice: Dice): Random {
  return {
    fill(target) {
      for (let at = 0; at < target.length; at++) target[at] = Math.floor(dice.next() * 256)
      return target
    },
  }
}
