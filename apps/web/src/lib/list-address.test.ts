import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ListShape, listStateOf, searchOfList, withFilter } from './list-address.ts'

const SHAPE: ListShape = {
  pageSizes: [10, 20, 50],
  pageSize: 10,
  sort: { by: 'name', order: 'asc' },
  sortable: ['name', 'created'],
  filters: ['q', 'state'],
  view: ['open'],
}

describe('a list in the address', () => {
  it('says nothing about a fresh visit', () => expect(searchOfList(listStateOf({}, SHAPE), SHAPE)).toEqual({}))

  it('names page, size, order and filters that differ', () => {
    const search = { page: '3', size: '20', sort: 'created', order: 'desc', q: 'mia', state: 'locked', open: '7' }
    expect(searchOfList(listStateOf(search, SHAPE), SHAPE)).toEqual(search)
  })

  it('is read as a fresh visit where it makes no sense', () => {
    const nonsense = { page: '-4', size: '17', sort: 'password', order: 'up', q: 7, other: 'x' }
    expect(listStateOf(nonsense, SHAPE)).toEqual(listStateOf({}, SHAPE))
  })

  it('comes back as it was, whatever it is', () => {
    const state = fc.record({
      page: fc.integer({ min: 1, max: 10_000 }),
      pageSize: fc.constantFrom(...SHAPE.pageSizes),
      sort: fc.record({
        by: fc.constantFrom('name', 'created'),
        order: fc.constantFrom('asc' as const, 'desc' as const),
      }),
      filters: fc.dictionary(fc.constantFrom('q', 'state'), fc.string({ minLength: 1 })),
      view: fc.dictionary(fc.constant('open'), fc.string({ minLength: 1 })),
    })
    fc.assert(
      fc.property(state, (wanted) => {
        expect(listStateOf(searchOfList(wanted, SHAPE), SHAPE)).toEqual({
          ...wanted,
          filters: { ...wanted.filters },
          view: { ...wanted.view },
        })
      }),
    )
  })

  it('begins at the first page after another filter', () => {
    const third = listStateOf({ page: '3', q: 'a' }, SHAPE)
    expect(withFilter(third, 'q', 'ab')).toMatchObject({ page: 1, filters: { q: 'ab' } })
    expect(searchOfList(withFilter(third, 'q', ''), SHAPE)).toEqual({})
  })

  it('keeps what is open when the filter changes', () => {
    expect(withFilter(listStateOf({ open: '7' }, SHAPE), 'q', 'a').view).toEqual({ open: '7' })
  })
})
