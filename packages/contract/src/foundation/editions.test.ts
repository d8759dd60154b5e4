import { describe, expect, it } from 'vitest'
import {
  DEFAULT_EDITION,
  editionProfile,
  EDITIONS,
  FEATURES,
  fitsLimit,
  hasFeature,
  leastEditionWith,
  type Feature,
} from './editions.ts'

describe('editions', () => {
  it.each([
    ['free', 1, 3, 'raysync'],
    ['traffic', 3, null, 'raysync_traffic'],
    ['pro', 10, null, 'raysync_pro'],
    ['enterprise', null, null, 'raysync_enterprise'],
    ['trial', 1, 3, 'raysync_trial'],
  ] as const)('%s has %s users and %s clients and is %s on the wire', (name, users, clients, wireId) => {
    expect(editionProfile(name)).toMatchObject({ users, clients, wireId })
  })

  it('keep preview, watermark, sync, customisation and the rest of the list for the enterprise', () => {
    const enterpriseOnly: readonly Feature[] = [
      'preview',
      'watermark',
      'sync',
      'customisation',
      'nodes',
      'eventNotifications',
      'auditPolicies',
      'addressLists',
      'antivirus',
      'groupSpaces',
      'directoryLogin',
      'delivery',
      'review',
      'quarantine',
    ]
    for (const feature of enterpriseOnly) {
      expect([EDITIONS.enterprise, EDITIONS.trial].every((edition) => hasFeature(edition, feature))).toBe(true)
      expect(leastEditionWith(feature)).toBe('enterprise')
      expect([EDITIONS.free, EDITIONS.traffic, EDITIONS.pro].some((edition) => hasFeature(edition, feature))).toBe(
        false,
      )
    }
    expect(FEATURES.filter((feature) => !enterpriseOnly.includes(feature))).toEqual(['p2p'])
  })

  it('count traffic in the traffic edition alone', () => {
    expect(
      Object.entries(EDITIONS)
        .filter(([, { countsTraffic }]) => countsTraffic)
        .map(([name]) => name),
    ).toEqual(['traffic'])
  })

  it('take a number from the licence instead of their own', () => {
    expect(editionProfile('pro', { users: 50 })).toMatchObject({ users: 50, clients: null })
    expect(editionProfile('free', { clients: null })).toMatchObject({ users: 1, clients: null })
  })

  it('let three clients in at once in the free edition, and no fourth', () => {
    const { clients } = editionProfile('free')
    expect([0, 1, 2, 3].map((online) => fitsLimit(clients, online))).toEqual([true, true, true, false])
    expect(fitsLimit(null, 1_000_000)).toBe(true)
  })

  it('begin with everything on', () => {
    expect(DEFAULT_EDITION).toBe('enterprise')
  })
})
