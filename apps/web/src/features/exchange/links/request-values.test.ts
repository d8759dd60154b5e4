import type { LinkRequest } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { itemFault, itemsIn, itemsText, newItem, requestFault, requestOf, requestValues } from './request-values.ts'

const MB = 1024 * 1024

describe('what guests are asked for', () => {
  it('is nothing at first', () => expect(requestOf(requestValues(null))).toBeNull())

  it('comes back from the dialog as it went in', () => {
    const request: LinkRequest = {
      items: [
        {
          ...{ id: 'abc', name: 'Drawings', pattern: '*.dwg', types: ['dwg', 'dxf'], sha256: '', required: true },
          ...{ minBytes: 0, maxBytes: 2.5 * MB, count: 3 },
        },
        {
          ...{ id: 'def', name: 'Release', pattern: 'a.zip', types: [], sha256: 'a'.repeat(64), required: false },
          ...{ minBytes: 0, maxBytes: 0, count: 1 },
        },
      ],
      others: true,
      insist: true,
    }
    expect(requestOf(requestValues(request))).toEqual(request)
  })

  it('takes types as people write them, and sizes with a comma', () => {
    const item = { ...newItem(), name: 'A', types: '*.pdf; .DWG，zip pdf', max: '1,5' }
    const request = requestOf({ ...requestValues(null), request: itemsText([item]) })
    expect(request?.items).toMatchObject([{ types: ['pdf', 'DWG', 'zip'], maxBytes: 1.5 * MB }])
  })

  it.each([
    ['name', { name: ' ' }],
    ['count', { count: '0' }],
    ['count', { count: '1001' }],
    ['size', { min: '2', max: '1' }],
    ['size', { max: 'much' }],
    ['types', { types: 'a/b' }],
    ['checksum', { pattern: '*.zip', sha256: 'a'.repeat(64) }],
    ['checksum', { pattern: 'a.zip', sha256: 'abc' }],
    ['checksum', { pattern: 'a.zip', sha256: 'a'.repeat(64), count: '2' }],
    [undefined, { pattern: 'a.zip', sha256: 'A'.repeat(64) }],
  ])('finds %s wrong in %j', (fault, change) => {
    const item = { ...newItem(), name: 'A', ...change }
    expect(itemFault(item)).toBe(fault)
    expect(requestFault(itemsText([item]))).toBe(fault !== undefined)
    expect(itemsIn(itemsText([item]))).toEqual([item])
  })
})
