import { describe, expect, it } from 'vitest'
import { addressesIn, addressesOf } from './addresses-of.ts'

describe('addresses', () => {
  it('are taken out of a table wherever they stand, each once', () => {
    const rows = [
      ['Name', 'E-mail', 'Phone'],
      ['Mei Lin', 'mei@example.org', '+86 10 1234'],
      ['Tom <tom@example.org>; ann@example.org', '', ''],
      ['林', 'mailto:lin@example.org', 'mei@example.org'],
      ['', 'broken@', '42'],
    ]
    expect(addressesOf(rows)).toEqual([
      'mei@example.org',
      'tom@example.org',
      'ann@example.org',
      'lin@example.org',
      'broken@',
    ])
  })

  it('are split where people put something between them', () => {
    expect(addressesIn(' a@example.org，b@example.org;a@example.org、 <c@example.org>\nno ')).toEqual([
      'a@example.org',
      'b@example.org',
      'c@example.org',
      'no',
    ])
  })

  it('are none in a table without any', () => {
    expect(addressesOf([['Name'], ['Mei']])).toEqual([])
  })
})
