import { describe, expect, it } from 'vitest'
import { isAdmitted, requireLists } from './site-access.policy.ts'

const rules = (allowed: string, denied: string) => ({
  'security.allowedAddresses': allowed,
  'security.deniedAddresses': denied,
})

describe('the addresses from which a site is reached', () => {
  it.each<[string, string, string, boolean]>([
    ['', '', '192.0.2.1', true],
    ['', ' ; ', '192.0.2.1', true],
    ['10.80.90.[1-100]', '', '10.80.90.100', true],
    ['10.80.90.[1-100]', '', '10.80.90.101', false],
    ['10.80.90.[1-100]', '', '2001:db8::1', false],
    ['10.0.0.0/8', '10.0.0.5', '10.0.0.4', true],
    ['10.0.0.0/8', '10.0.0.5', '::ffff:10.0.0.5', false],
    ['', '2001:db8::/32', '2001:db8::7', false],
    ['', '2001:db8::/32', '', true],
  ])('allowed %j, denied %j: %s may come: %s', (allowed, denied, address, may) => {
    expect(isAdmitted(address, rules(allowed, denied))).toBe(may)
  })

  it('refuses what is no address, naming the list', () => {
    expect(() => requireLists(rules('', '10.0.0.[1-300]'))).toThrow(
      expect.objectContaining({
        code: 'ADDRESS_LIST_INVALID',
        details: { field: 'security.deniedAddresses', entry: '10.0.0.[1-300]' },
      }),
    )
  })
})
