import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOutbound } from './index.ts'
import { allowedOf, isReachable } from './outbound.policy.ts'

const NOTHING = allowedOf([])

describe('addresses that a person names', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::FFFF:169.254.169.254',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    'not an address',
    '',
  ])('%s is not reached', (address) => expect(isReachable(address, NOTHING)).toBe(false))

  it.each(['192.0.2.1', '8.8.8.8', '172.32.0.1', '2001:db8::1', '2606:4700::1111'])('%s is', (address) =>
    expect(isReachable(address, NOTHING)).toBe(true),
  )

  it('inside the house are reached when the operator allows them, and no others', () => {
    const allowed = allowedOf(['127.0.0.1', '10.20.0.0/16', 'fd00::/8', 'mail.example.org'])
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.20.30.40', 'fd12::1'])
      expect(isReachable(address, allowed)).toBe(true)
    for (const address of ['127.0.0.2', '10.21.0.1', '::1']) expect(isReachable(address, allowed)).toBe(false)
    expect(() => allowedOf(['*'])).toThrow('outbound.allow')
  })

  it('are the same in every spelling of IPv4 within IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isReachable(`::ffff:${address}`, NOTHING)).toBe(isReachable(address, NOTHING))
      }),
    )
  })

  it.each(['localhost', 'localhost.', 'LOCALHOST', '2130706433', '0x7f000001', '017700000001', '127.1', '0', '[::1]'])(
    'behind the name %s are looked at after it is resolved (T34)',
    async (host) => {
      await expect(createOutbound([]).addressOf(host)).rejects.toThrow(/not-allowed|unknown-host/)
    },
  )

  it('inside the house are reached where an administrator says that they are, but nothing that a cloud answers', async () => {
    const { addressOf } = createOutbound([])
    for (const host of ['127.0.0.1', '10.1.2.3', '192.168.1.1', 'fd00::1'])
      expect(await addressOf(host, 'inside')).toBe(host)
    for (const host of ['169.254.169.254', '0.0.0.0', '224.0.0.1', 'fe80::1'])
      await expect(addressOf(host, 'inside')).rejects.toThrow('not-allowed')
  })

  it('behind an allowed name are reached', async () => {
    expect(await createOutbound(['localhost']).addressOf('LOCALHOST')).toMatch(/^(127\.0\.0\.1|::1)$/)
    expect(await createOutbound(['127.0.0.0/8', '::1']).addressOf('localhost')).toMatch(/^(127\.0\.0\.1|::1)$/)
  })
})
