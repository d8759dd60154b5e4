import { EDITIONS } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { machineCodeOf } from './licence.file.ts'
import { dueLicenceReminder, requireFeature, termsOfEdition, termsOfLicence } from './licence.terms.ts'
import { licenceBody, openIssuer } from './testing/issuers.ts'

const DAY_MS = 86_400_000
const NOW = 400 * DAY_MS
const { issuerKey, issue } = openIssuer()
const place = (change: object = {}) => ({ now: NOW, issuerKey, machineCode: machineCodeOf('x'), ...change })
const termsOf = (body: Parameters<typeof issue>[0], change: object = {}, usedBytes = 0) =>
  termsOfLicence({ id: 'row', file: issue(body), used_bytes: usedBytes }, place(change))

describe('the terms of a licence', () => {
  it('are its edition with its own numbers', () => {
    const terms = termsOf({ edition: 'pro', limits: { users: 50, bandwidthMbps: 200 } })
    expect(terms).toMatchObject({ edition: 'pro', state: 'active', users: 50, bandwidthMbps: 200, clients: null })
    expect(terms.closed).toBeUndefined()
  })

  it.each([
    ['ends in 31 days', 31 * DAY_MS, 'active', undefined],
    ['ends in less than 30 days', 30 * DAY_MS - 1, 'expiring', undefined],
    ['has ended', 0, 'expired', 'LICENCE_EXPIRED'],
  ])('of one that %s', (_, left, state, closed) => {
    const terms = termsOf({ expiresAt: NOW + left })
    expect([terms.state, terms.closed?.code, terms.edition]).toEqual([state, closed, 'pro'])
  })

  it('of one that no longer verifies are those of the free edition, without transfers', () => {
    for (const terms of [
      termsOf({ edition: 'enterprise' }, { issuerKey: openIssuer().issuerKey }),
      termsOf({ edition: 'enterprise', machine: 'A'.repeat(16) }),
      termsOf({ edition: 'enterprise', startsAt: NOW + 1 }),
    ]) {
      expect(terms).toMatchObject({ state: 'invalid', edition: 'free', users: 1 })
      expect(terms.closed?.code).toBe('LICENCE_INVALID')
    }
  })

  it('close transfers when the traffic is used up', () => {
    const body = { edition: 'traffic', limits: { trafficBytes: 1000 } } as const
    expect(termsOf(body, {}, 999).closed).toBeUndefined()
    expect(termsOf(body, {}, 1000).closed?.code).toBe('TRAFFIC_INSUFFICIENT')
    expect(termsOf({ ...body, edition: 'pro' }, {}, 1000).closed).toBeUndefined()
  })
})

describe('the terms without a licence', () => {
  it('are those of the edition that the setting names', () => {
    expect(termsOfEdition('free')).toMatchObject({ ...EDITIONS.free, state: 'none', closed: undefined })
  })

  it('refuse a feature that the edition does not have', () => {
    expect(() => requireFeature(termsOfEdition('pro'), 'preview')).toThrow('EDITION_FEATURE_MISSING')
    expect(() => requireFeature(termsOfEdition('enterprise'), 'preview')).not.toThrow()
  })
})

describe('reminders', () => {
  const year = licenceBody({ startsAt: 0, expiresAt: 365 * DAY_MS })
  it.each([
    [31, null, undefined],
    [30, null, 30],
    [30, 30, undefined],
    [6, 30, 7],
    [1, 7, 1],
    [0, 1, 0],
    [-5, 0, undefined],
  ])('%i days before the end, after that of %s, the one of %s is due', (left, reminded, due) => {
    expect(dueLicenceReminder(year, reminded, (365 - left) * DAY_MS)).toBe(due)
  })

  it('leave out what is longer than half the life, and never come without an end', () => {
    expect(dueLicenceReminder({ startsAt: 0, expiresAt: 20 * DAY_MS }, null, 0)).toBeUndefined()
    expect(dueLicenceReminder({ startsAt: 0, expiresAt: null }, null, NOW)).toBeUndefined()
  })
})
