import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireFewValues } from './json-body.ts'

/** Makes a text long enough to be looked at. */
const padded = (json: string): Buffer => Buffer.from(`${json}${' '.repeat(70_000)}`)

describe('the values of a JSON text', () => {
  it('are not those inside its strings, whatever these hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', 'a', '报') })), (strings) => {
        const commas = JSON.stringify(','.repeat(250_000))
        expect(() => requireFewValues(padded(`[${JSON.stringify(strings)},${commas}]`))).not.toThrow()
        expect(() => requireFewValues(padded(`[${JSON.stringify(strings)}${',0'.repeat(200_001)}]`))).toThrow(
          'BODY_TOO_LARGE',
        )
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['200,000', `[${'0,'.repeat(199_999)}0]`, true],
    ['a million empty objects', `[${'{},'.repeat(1_000_000)}{}]`, false],
    ['a million levels', '['.repeat(1_000_000), false],
    ['a string without an end', `"${'[,'.repeat(300_000)}`, true],
  ])('%s: taken %s', (_name, json, isTaken) => {
    const check = (): void => requireFewValues(padded(json))
    if (isTaken) expect(check).not.toThrow()
    else expect(check).toThrow('BODY_TOO_LARGE')
  })
})
