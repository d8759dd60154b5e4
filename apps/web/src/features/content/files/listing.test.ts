import { describe, expect, it } from 'vitest'
import { createTypeAhead, type FindByPrefix } from '../../../lib/type-ahead.ts'
import { type ColumnsPage, collectListing, entryAt, findByPrefix, withName, withoutRows } from './listing.ts'

function pageOf(names: readonly string[], rest: Partial<ColumnsPage> = {}): ColumnsPage {
  return {
    names: [...names],
    types: names.map(() => 0),
    sizes: names.map((_, at) => at),
    times: names.map(() => 1),
    next: null,
    total: names.length,
    version: 'v',
    ...rest,
  }
}

describe('a listing that arrives in pages', () => {
  it('knows its whole length from the first page on', () => {
    const collected = collectListing()
    const first = collected.add(pageOf(['a', 'b'], { next: 'more', total: 4 }))
    expect([first.count, first.total]).toEqual([2, 4])
    const whole = collected.add(pageOf(['c', 'd'], { total: 4 }))
    expect(whole.names).toEqual(['a', 'b', 'c', 'd'])
    expect(entryAt(whole, 3)).toEqual({ name: 'd', type: 0, size: 1, time: 1 })
  })

  it('grows when the folder grew meanwhile', () => {
    const collected = collectListing()
    collected.add(pageOf(['a'], { next: 'more', total: 2 }))
    expect(collected.add(pageOf(['b', 'c'], { total: 3 })).total).toBe(3)
  })

  it('ends at what came when the folder shrank meanwhile', () => {
    const collected = collectListing()
    collected.add(pageOf(['a'], { next: 'more', total: 9 }))
    expect(collected.add(pageOf(['b'], { total: 9 })).total).toBe(2)
  })
})

describe('changes shown at once', () => {
  const listing = collectListing().add(pageOf(['a', 'b', 'c']))
  it('takes rows out', () => {
    const less = withoutRows(listing, (row) => row === 1)
    expect([less.names, less.total, entryAt(less, 1)?.size]).toEqual([['a', 'c'], 2, 2])
  })
  it('changes a name and leaves the old listing as it was', () => {
    expect(withName(listing, 'b', 'x').names).toEqual(['a', 'x', 'c'])
    expect(withName(listing, 'gone', 'x')).toBe(listing)
    expect(listing.names).toEqual(['a', 'b', 'c'])
  })
})

describe('finding', () => {
  const listing = collectListing().add(pageOf(['Alpha', 'beta', 'Report 1', 'report 2', 'zeta']))
  const names: FindByPrefix = (prefix, from) => findByPrefix(listing, prefix, from)
  it('jumps to the name that begins with the typed letters', () => {
    const { find: type } = createTypeAhead()
    expect(type(names, 0, 'r', 0)).toBe(2)
    expect(type(names, 2, 'e', 100)).toBe(2)
    expect(type(names, 2, 'p', 200)).toBe(2)
  })
  it('goes to the next one with the same letter again', () => {
    const { find: type } = createTypeAhead()
    expect(type(names, 0, 'r', 0)).toBe(2)
    expect(type(names, 2, 'r', 100)).toBe(3)
    expect(type(names, 3, 'r', 200)).toBe(2)
  })
  it('begins anew after a pause', () => {
    const { find: type } = createTypeAhead()
    type(names, 0, 'r', 0)
    expect(type(names, 2, 'z', 2_000)).toBe(4)
  })
})
