import { linkRequest, type LinkRequest } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import {
  itemOf,
  missingItems,
  nameMatches,
  requireExpected,
  stateOf,
  unnumbered,
  type WantedFile,
} from './link-request.policy.ts'

const MB = 1_000_000

function requestOf(items: readonly object[], more: object = {}): LinkRequest {
  return linkRequest.parse({ items: items.map((item, at) => ({ id: `i${at}`, name: `Item ${at}`, ...item })), ...more })
}

function file(name: string, size: number | null = 1, isWhole = true): WantedFile {
  return { name, size, isWhole }
}

function refusal(request: LinkRequest, wanted: WantedFile): string {
  try {
    requireExpected(request, wanted)
    return 'taken'
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code
    throw thrown
  }
}

/** The same by definition: every split of the name. */
function matchesSlowly(pattern: string, name: string): boolean {
  if (pattern === '') return name === ''
  const rest = pattern.slice(1)
  if (pattern.startsWith('*')) {
    for (let at = 0; at <= name.length; at++) if (matchesSlowly(rest, name.slice(at))) return true
    return false
  }
  return name !== '' && (pattern.startsWith('?') || pattern[0] === name[0]) && matchesSlowly(rest, name.slice(1))
}

describe('the pattern of a name', () => {
  it.each([
    ['*.dwg', 'Plan.DWG', true],
    ['offer-??.pdf', 'offer-07.pdf', true],
    ['offer-??.pdf', 'offer-7.pdf', false],
    ['*', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a.b', 'axb', false],
    ['图纸*.pdf', '图纸 一层.pdf', true],
    ['?', '𠮷', true],
  ])('%s and %s: %s', (pattern, name, expected) => expect(nameMatches(pattern, name)).toBe(expected))

  it('means what the definition says', () => {
    const letters = fc.constantFrom('a', 'b', '*', '?')
    const pattern = fc.array(letters, { maxLength: 6 }).map((each) => each.join(''))
    const name = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 }).map((each) => each.join(''))
    fc.assert(
      fc.property(pattern, name, (p, n) => nameMatches(p, n) === matchesSlowly(p, n)),
      { numRuns: 2000 },
    )
  })

  it('costs little, whatever somebody writes', () => {
    const begun = performance.now()
    expect(nameMatches(`${'*a'.repeat(64)}b`, 'a'.repeat(255))).toBe(false)
    expect(performance.now() - begun).toBeLessThan(200)
  })
})

describe('the number of a taken name', () => {
  it.each([
    ['plan (2).pdf', 'plan.pdf'],
    ['plan (2)', 'plan'],
    ['plan (2) b.pdf', 'plan (2) b.pdf'],
    ['plan.pdf', 'plan.pdf'],
  ])('is left out of %s', (name, expected) => expect(unnumbered(name)).toBe(expected))
})

describe('a request', () => {
  const request = requestOf([
    { pattern: '*.dwg', types: ['dwg'], maxBytes: 5 * MB, count: 2 },
    { pattern: 'price*', types: ['xlsx', 'csv'] },
    { pattern: 'release.zip', sha256: 'a'.repeat(64) },
    { name: 'Remarks', types: ['txt'], required: false },
  ])

  it('refuses a file with the reason that is nearest', () => {
    expect(refusal(request, file('ground floor.dwg'))).toBe('taken')
    expect(refusal(request, file('big.dwg', 6 * MB))).toBe('LINK_FILE_TOO_LARGE')
    expect(refusal(request, file('prices.pdf'))).toBe('LINK_FILE_TYPE_UNEXPECTED')
    expect(refusal(requestOf([{ pattern: '*.iso', minBytes: 10 }]), file('a.iso', 9))).toBe('LINK_FILE_TOO_SMALL')
    expect(refusal(requestOf([{ pattern: '*.iso' }]), file('holiday.jpg'))).toBe('LINK_FILE_UNEXPECTED')
  })

  it('refuses by size only what is certain while a file still comes', () => {
    const sized = requestOf([{ minBytes: 10, maxBytes: 20 }])
    expect(refusal(sized, file('a', null, false))).toBe('taken')
    expect(refusal(sized, file('a', 5, false))).toBe('taken')
    expect(refusal(sized, file('a', 21, false))).toBe('LINK_FILE_TOO_LARGE')
    expect(refusal(sized, file('a', 5))).toBe('LINK_FILE_TOO_SMALL')
  })

  it('says which checksum a file of that name must have, also of a numbered one', () => {
    expect(requireExpected(request, file('release.zip'))).toBe('a'.repeat(64))
    expect(requireExpected(request, file('Release (1).zip'))).toBe('a'.repeat(64))
    expect(requireExpected(request, file('price list.csv'))).toBe('')
  })

  it('takes other files where the owner says so, but no wrong one under a name that is asked for', () => {
    const open = requestOf([{ pattern: '*.dwg', maxBytes: 5 }, { types: ['pdf'] }], { others: true })
    expect(refusal(open, file('holiday.jpg'))).toBe('taken')
    expect(refusal(open, file('plan.dwg', 6))).toBe('LINK_FILE_TOO_LARGE')
  })

  it('is complete when each required item has as many files as it needs', () => {
    expect(missingItems(request, new Map())).toEqual(['Item 0', 'Item 1', 'Item 2'])
    const arrived = new Map([
      ['i0', 1],
      ['i1', 3],
      ['i2', 1],
    ])
    expect(missingItems(request, arrived)).toEqual(['Item 0'])
    expect(stateOf(request, arrived.set('i0', 2))).toMatchObject({
      isComplete: true,
      items: [{ arrived: 2 }, {}, {}, {}],
    })
  })

  it('counts a file for the first item that lacks one, and never for one that it does not fit', () => {
    const two = requestOf([{ types: ['pdf'] }, { types: ['pdf', 'txt'] }])
    expect(itemOf(two, file('a.pdf'), new Map())?.id).toBe('i0')
    expect(itemOf(two, file('b.pdf'), new Map([['i0', 1]]))?.id).toBe('i1')
    expect(
      itemOf(
        two,
        file('c.pdf'),
        new Map([
          ['i0', 1],
          ['i1', 1],
        ]),
      )?.id,
    ).toBe('i0')
    expect(itemOf(two, file('c.jpg'), new Map())).toBeUndefined()
  })

  it('takes exactly what counts for an item, and is complete after as many files as it says', () => {
    const extension = fc.constantFrom('pdf', 'dwg', 'txt')
    const item = fc.record({
      types: fc.uniqueArray(extension, { minLength: 1 }),
      count: fc.integer({ min: 1, max: 3 }),
    })
    const name = fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), extension).map((each) => each.join('.'))
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), fc.array(name, { maxLength: 20 }), (items, names) => {
        const asked = requestOf(items)
        const arrived = new Map<string, number>()
        for (const each of names) {
          const meant = itemOf(asked, file(each), arrived)
          expect(refusal(asked, file(each)) === 'taken').toBe(meant !== undefined)
          if (meant !== undefined) arrived.set(meant.id, (arrived.get(meant.id) ?? 0) + 1)
        }
        const isFull = items.every(({ count }, at) => (arrived.get(`i${at}`) ?? 0) >= count)
        expect(stateOf(asked, arrived).isComplete).toBe(isFull)
      }),
    )
  })
})

describe('the form of a request', () => {
  const isTaken = (item: object) => linkRequest.safeParse({ items: [{ id: 'a', name: 'A', ...item }] }).success
  it('has a checksum only for one file of a known name, and no limits that contradict each other', () => {
    expect(isTaken({})).toBe(true)
    expect(isTaken({ pattern: 'a.zip', sha256: 'b'.repeat(64) })).toBe(true)
    for (const wrong of [
      { pattern: '*.zip', sha256: 'b'.repeat(64) },
      { pattern: 'a.zip', sha256: 'b'.repeat(64), count: 2 },
      { pattern: 'a.zip', sha256: 'xyz' },
      { minBytes: 2, maxBytes: 1 },
      { types: ['.pdf'] },
      { count: 0 },
      { name: ' ' },
    ])
      expect(isTaken(wrong), JSON.stringify(wrong)).toBe(false)
    const twice = {
      items: [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
    }
    expect(linkRequest.safeParse(twice).success).toBe(false)
  })
})
