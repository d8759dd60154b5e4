import { describe, expect, it } from 'vitest'
import { codesOfDamagedPairs } from './testing/damaged-pairs.ts'

describe('10,000 damaged certificates and keys', () => {
  it('each gets a code or is sound, and none breaks the checks', async () => {
    const seed = Date.now() % 2 ** 31
    const codes = [...(await codesOfDamagedPairs(10_000, seed))]
    expect(
      codes.filter((code) => !/^(?:sound|CERTIFICATE_\w+)$/.test(code)),
      `seed ${seed}`,
    ).toEqual([])
    expect(codes.length).toBeGreaterThan(3)
  })
})
