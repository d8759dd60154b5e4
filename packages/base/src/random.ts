/** Where randomness comes from: the operating system's generator in the product, a seeded one in simulations. */
export interface Random {
  /** Fills and returns `target`. */
  fill(target: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
}

export const secureRandom: Random = {
  fill(target) {
    // getRandomValues refuses more than 65,536 bytes a call.
    for (let at = 0; at < target.length; at += 65_536) crypto.getRandomValues(target.subarray(at, at + 65_536))
    return target
  },
}

/** Deterministic bytes (splitmix64): the same seed gives the same stream on every machine. Never for secrets. */
export function seededRandom(seed: number): Random {
  let state = BigInt.asUintN(64, BigInt(seed))
  const next = (): bigint => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let mixed = state
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n)
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn)
    return mixed ^ (mixed >> 31n)
  }
  return {
    fill(target) {
      for (let at = 0; at < target.length; at += 8) {
        let word = next()
        for (let byte = at; byte < Math.min(at + 8, target.length); byte++) {
          target[byte] = Number(word & 0xffn)
          word >>= 8n
        }
      }
      return target
    },
  }
}

/** Lower-case hexadecimal of `byteCount` random bytes. 16 bytes (128 bits) is the least for anything that must not be guessed. */
export function randomHex(random: Random, byteCount: number): string {
  return Array.from(random.fill(new Uint8Array(byteCount)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A whole number from 0 up to `limit`, which is left out. For choices in simulations: not quite even for large limits. */
export function randomBelow(random: Random, limit: number): number {
  const word = new DataView(random.fill(new Uint8Array(4)).buffer).getUint32(0)
  return limit === 0 ? 0 : word % limit
}
