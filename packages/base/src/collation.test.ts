import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareIgnoringCase,
  compareNames,
  comparePlainNames,
  nameKeyBytes,
  writeNameKey,
  type NameBytes,
} from './collation.ts'

const ascii = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((unit) => String.fromCharCode(unit)) })
/** Few characters, so that prefixes, cases and numbers meet often. */
const similar = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', 'B', '0', '1', '9', '-', '_', '.', ' ', '~'),
  maxLength: 8,
})
const anyName = fc.oneof(ascii, similar, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

/** A name with others before and behind it. */
function amongOthers(name: string): NameBytes {
  const utf8 = new TextEncoder().encode(name)
  return { bytes: Uint8Array.of(0x39, ...utf8, 0x39), start: 1, end: 1 + utf8.length }
}

/** The key as a text; undefined without one. */
function nameKey(name: string): string | undefined {
  const among = amongOthers(name)
  const bytes = new Uint8Array(nameKeyBytes(among.end - among.start))
  const end = writeNameKey(among, bytes, 0)
  if (end > bytes.length) throw new Error('a key must keep within its bound')
  return end < 0 ? undefined : String.fromCharCode(...bytes.subarray(0, end))
}

function withoutZeros(name: string): string {
  return name.toLowerCase().replaceAll(/0*([0-9]*)/g, '$1')
}

describe('the order of names', () => {
  it('puts Han by pinyin before Latin, and numbers by value', () => {
    const names = ['b', '文件10', 'a', '文件2', '安徽', 'B', 'a10', 'a9', '1', '_']
    expect(names.toSorted(compareNames)).toEqual(['_', '1', '安徽', '文件2', '文件10', 'a', 'a9', 'a10', 'b', 'B'])
  })
  it('is total: antisymmetric, and 0 only for equal names', () => {
    fc.assert(
      fc.property(anyName, anyName, (left, right) => {
        expect(Math.sign(compareNames(left, right))).toBe(-Math.sign(compareNames(right, left)) + 0)
        expect(compareNames(left, right) === 0).toBe(left === right)
      }),
      { numRuns: 2_000 },
    )
  })
  it('is transitive', () => {
    fc.assert(
      fc.property(fc.tuple(anyName, anyName, anyName), (names) => {
        const [a, b, c] = names.toSorted(compareNames) as [string, string, string]
        expect(compareNames(a, c)).toBeLessThanOrEqual(0)
        expect(compareNames(a, b)).toBeLessThanOrEqual(0)
        expect(compareNames(b, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 2_000 },
    )
  })
  it('is the same by keys as by the collator', () => {
    fc.assert(
      fc.property(fc.oneof(ascii, similar), fc.oneof(ascii, similar), (left, right) => {
        const [a, b] = [nameKey(left), nameKey(right)]
        if (a === undefined || b === undefined) throw new Error('printable ASCII has a key')
        if (a !== b) expect(a < b).toBe(compareNames(left, right) < 0)
      }),
      { numRuns: 20_000 },
    )
  })
  it('is the same by the bytes of plain names, which never tell what differs in nothing but case or zeros', () => {
    fc.assert(
      fc.property(fc.oneof(ascii, similar), fc.oneof(ascii, similar), (left, right) => {
        const byBytes = comparePlainNames(amongOthers(left), amongOthers(right))
        if (byBytes !== 0) expect(byBytes < 0).toBe(compareNames(left, right) < 0)
        else expect(withoutZeros(left)).toBe(withoutZeros(right))
      }),
      { numRuns: 20_000 },
    )
  })
  it('leaves names beyond printable ASCII, and endless numbers, to the collator', () => {
    expect(['é', '文', '\u0001', '1'.repeat(201)].map(nameKey)).toEqual([undefined, undefined, undefined, undefined])
  })
  it('puts names that differ only in case side by side', () => {
    expect(compareIgnoringCase('Report.PDF', 'report.pdf')).toBe(0)
    expect(compareIgnoringCase('rapport', 'report')).not.toBe(0)
  })
})
