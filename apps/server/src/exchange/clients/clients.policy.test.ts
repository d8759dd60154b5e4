import { EDITIONS, isOlder } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultClientRules } from '../../testing/client-rules.ts'
import { canWorkIn, clientState, hasRoom } from './clients.policy.ts'

const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.'))
const VERSIONS = { clientMinVersion: '1.2.0', clientSpaceVersion: '1.5.0', clientUpgradeVersion: '2.0.0' }

describe('state of a client', () => {
  it.each([
    ['1.1.9', true, 'outdated'],
    ['1.1.9', false, 'outdated'],
    ['1.2.0', false, 'starting'],
    ['1.2.0', true, 'update-available'],
    ['2.0.0', true, 'connected'],
    ['3.0.0', true, 'connected'],
  ] as const)('%s, ready %s: %s', (text, ready, state) => {
    expect(clientState({ version: text, ready }, VERSIONS)).toBe(state)
  })

  it('is outdated exactly below the least version, whatever the others are', () => {
    fc.assert(
      fc.property(version, version, version, fc.boolean(), (own, least, newest, ready) => {
        const versions = { ...VERSIONS, clientMinVersion: least, clientUpgradeVersion: newest }
        expect(clientState({ version: own, ready }, versions) === 'outdated').toBe(isOlder(own, least))
      }),
    )
  })
})

describe('spaces of a client', () => {
  it('are the first one for every version, and the others from the space version on', () => {
    fc.assert(
      fc.property(version, version, fc.integer({ min: 2 }), (own, clientSpaceVersion, spaceId) => {
        const versions = { ...VERSIONS, clientSpaceVersion }
        expect(canWorkIn(1, own, versions)).toBe(true)
        expect(canWorkIn(spaceId, own, versions)).toBe(!isOlder(own, clientSpaceVersion))
      }),
    )
  })
})

describe('room for clients', () => {
  it('is for three in the free edition, and without end in the others', () => {
    expect([0, 1, 2, 3, 4].map((others) => hasRoom({ maxClients: EDITIONS.free.clients }, others))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    for (const { clients } of [EDITIONS.traffic, EDITIONS.pro, EDITIONS.enterprise])
      expect(hasRoom({ maxClients: clients }, 10_000)).toBe(true)
    expect(hasRoom(defaultClientRules(), 10_000)).toBe(true)
  })
})
