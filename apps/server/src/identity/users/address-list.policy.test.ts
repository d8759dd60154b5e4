import { describe, expect, it } from 'vitest'
import { addressFault, coversAddress } from './address-list.policy.ts'

describe('a list of addresses', () => {
  it('lets everybody in while it is empty', () => {
    expect(coversAddress('', '10.0.0.1')).toBe(true)
    expect(coversAddress(' ; ', '2001:db8::1')).toBe(true)
  })

  it('has addresses, ranges and networks, in either kind of address', () => {
    const list = '10.80.90.[1-100]; 192.168.*.7；172.16.0.0/12, 2001:db8::/32; fd00::1'
    expect(addressFault(list)).toBeUndefined()
    for (const address of ['10.80.90.1', '10.80.90.100', '192.168.200.7', '172.31.255.255', '2001:db8:1::9', 'fd00::1'])
      expect(coversAddress(list, address), address).toBe(true)
    for (const address of ['10.80.90.101', '10.80.91.1', '192.168.1.8', '172.32.0.1', '2001:db9::1', 'fd00::2', ''])
      expect(coversAddress(list, address), address).toBe(false)
    expect(coversAddress('10.0.0.1', '::ffff:10.0.0.1')).toBe(true)
  })

  it('names the first entry that cannot be used, and lets nobody in by it', () => {
    for (const entry of [
      '10.0.0',
      '10.0.0.256',
      '10.0.0.[9-1]',
      '10.0.0.0/33',
      'host',
      '10.0.0.1/',
      '::1/129',
      '1.2.3.4/8/9',
    ])
      expect(addressFault(`10.0.0.1; ${entry}`), entry).toBe(entry)
    expect(coversAddress('host', 'host')).toBe(false)
  })
})
