import { describe, expect, it } from 'vitest'
import { orderOf, ordersOf, withOrder } from './folder-orders.ts'

const PLACE = { spaceId: 1, groupId: 0 }
const BY_SIZE = { orderBy: 'size', order: 'desc' } as const
const BY_NAME = { orderBy: 'name', order: 'asc' } as const

describe('the order of a folder', () => {
  it('is that of names until another one is chosen, in this folder of this place alone', () => {
    const orders = withOrder({}, '1/0/photos', BY_SIZE)
    expect(orderOf(orders, PLACE, '/photos')).toEqual(BY_SIZE)
    expect(orderOf(orders, PLACE, '/')).toEqual(BY_NAME)
    expect(orderOf(orders, { spaceId: 1, groupId: 4 }, '/photos')).toEqual(BY_NAME)
    expect(withOrder(orders, '1/0/photos', BY_NAME)).toEqual({})
  })

  it('is remembered for the 200 folders that were sorted last', () => {
    const first = withOrder({}, 'first', BY_SIZE)
    const many = Array.from({ length: 200 }).reduce<typeof first>(
      (all, _, at) => withOrder(all, `${at}x`, BY_SIZE),
      first,
    )
    expect(Object.keys(many)).toHaveLength(200)
    expect(many['first']).toBeUndefined()
  })

  it('leaves out what a browser stored that is none', () => {
    const stored = { a: BY_SIZE, b: { orderBy: 'colour', order: 'asc' }, c: null, d: 'size' }
    expect(ordersOf(stored)).toEqual({ a: BY_SIZE })
    for (const nothing of [undefined, null, 'x', 3]) expect(ordersOf(nothing)).toEqual({})
  })
})
