import { assert, constantFrom, boolean, property, record, option } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLIENT_STATES } from './clients.ts'
import { suggestsClient, offeredWays, type WayFacts } from './transfer-ways.ts'

const facts = { transferType: 0, client: 'none', canAsk: false, hasPackages: true, isRoomy: true } as const
const anyFacts = record({
  transferType: constantFrom(0, 1, 2),
  client: option(constantFrom(...CLIENT_STATES), { nil: undefined }),
  canAsk: boolean(),
  hasPackages: boolean(),
  isRoomy: boolean(),
})
const KINDS = ['upload', 'download'] as const

describe('the ways of a transfer', () => {
  it('are one where the site allows one, whatever the client does', () => {
    const check = (given: WayFacts): void => {
      for (const kind of KINDS) {
        expect(offeredWays(kind, { ...given, transferType: 1 })).toEqual(['client'])
        expect(offeredWays(kind, { ...given, transferType: 2 })).toEqual(['web'])
      }
    }
    assert(property(anyFacts, check))
  })

  it('include the browser wherever it may transfer, and never name a way twice', () => {
    const check = (given: WayFacts): void => {
      for (const kind of KINDS) {
        const ways = offeredWays(kind, given)
        expect(ways.includes('web')).toBe(given.transferType !== 1)
        expect(new Set(ways).size).toBe(ways.length)
      }
    }
    assert(property(anyFacts, check))
  })

  it('begin with a client that is connected', () => {
    for (const client of ['connected', 'update-available'] as const) {
      expect(offeredWays('download', { ...facts, client })).toEqual(['client', 'web'])
      expect(offeredWays('upload', { ...facts, client, canAsk: true })).toEqual(['client', 'web'])
    }
  })

  it('begin with the browser while the client is not ready, cannot ask, or the page is on a phone', () => {
    for (const client of ['none', 'starting', 'outdated'] as const) {
      expect(offeredWays('download', { ...facts, client })).toEqual(['web', 'client'])
    }
    expect(offeredWays('upload', { ...facts, client: 'connected' })).toEqual(['web', 'client'])
    expect(offeredWays('download', { ...facts, client: 'connected', isRoomy: false })).toEqual(['web', 'client'])
  })

  it('leave out a client that is neither there nor to be had', () => {
    expect(offeredWays('upload', { ...facts, hasPackages: false })).toEqual(['web'])
    expect(offeredWays('upload', { ...facts, isRoomy: false })).toEqual(['web'])
    expect(offeredWays('upload', { ...facts, client: undefined, hasPackages: false })).toEqual(['web'])
    expect(offeredWays('upload', { ...facts, client: 'starting', hasPackages: false })).toEqual(['web', 'client'])
  })
})

describe('the prompt before a large download', () => {
  it('comes above the threshold, for folders still being counted, and never when it is 0', () => {
    expect([99, 100, 101, undefined].map((files) => suggestsClient(100, files))).toEqual([false, false, true, true])
    expect([1, 1_000_000, undefined].map((files) => suggestsClient(0, files))).toEqual([false, false, false])
  })
})
