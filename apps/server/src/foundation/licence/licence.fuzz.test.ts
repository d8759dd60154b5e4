import { describe, expect, it } from 'vitest'
import { readDamagedLicences } from './testing/damaged-licences.ts'

const COUNT = 10_000

describe('10,000 damaged licences', () => {
  it('each gets a code, and none says anything but what was signed', () => {
    const seed = Date.now() % 2 ** 31
    const { sound, read, codes } = readDamagedLicences(COUNT, seed)
    for (const licence of read) expect(licence, `seed ${seed}`).toEqual(sound)
    const unknown = [...codes.keys()].filter((code) => !/^(?:sound|LICENCE_\w+ (?:form|signature))$/.test(code))
    expect(unknown, `seed ${seed}`).toEqual([])
    expect(codes.size).toBe(3)
    // Only white space may differ in what still counts.
    expect(read.length).toBeLessThan(COUNT / 5)
  })
})
