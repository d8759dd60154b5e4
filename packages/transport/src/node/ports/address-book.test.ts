import { describe, expect, it } from 'vitest'
import { AddressBook } from './address-book.ts'

const FORGED = 100_000

describe('the numbers of peers', () => {
  it('stay, however many forged sources come meanwhile', () => {
    const book = new AddressBook<string>()
    const endpoint = { host: '192.0.2.1', port: 9 }
    const peer = book.keep(book.find('peer'), 'peer', { endpoint, extra: 'raw' })
    const numbers = new Set(Array.from({ length: FORGED }, (_value, index) => book.find(`forged ${index}`)))
    expect(numbers.size).toBe(FORGED)
    expect(book.find('peer')).toBe(peer)
    expect(book.get(peer)).toEqual({ endpoint, extra: 'raw' })
    expect(book.get(Math.max(...[...numbers].slice(-10)))).toBeUndefined()
  })

  it('are given up one by one when there are thousands, those first that were not in use', () => {
    const book = new AddressBook<number>()
    const add = (index: number): number =>
      book.keep(book.find(`${index}`), `${index}`, { endpoint: { host: '192.0.2.1', port: index }, extra: index })
    const first = add(0)
    const second = add(1)
    for (let index = 2; index < 5000; index++) {
      add(index)
      book.find('0')
    }
    expect(book.get(first)?.extra).toBe(0)
    expect(book.get(second)).toBeUndefined()
  })
})
