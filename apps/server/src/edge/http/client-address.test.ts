import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClientAddresses, forwardedAddress } from './client-address.ts'

const addresses = createClientAddresses(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

function addressOf(remoteAddress: string | undefined, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return addresses.of({ headers, socket: { remoteAddress } } as unknown as IncomingMessage)
}

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '203.0.113.9, 198.51.100.7, 10.1.1.1', '198.51.100.7'],
    ['127.0.0.1', '198.51.100.7:52144', '198.51.100.7'],
    ['127.0.0.1', '"[2001:db8::1]:443"', '2001:db8::1'],
    ['127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['127.0.0.1', '198.51.100.7, ::ffff:10.0.0.3', '198.51.100.7'],
    ['fd00::1', '2001:db8::1', '2001:db8::1'],
    // What stands before an entry that names nobody may be forged, so the proxy itself is the client.
    ['127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9, _hidden, 10.0.0.3', '10.0.0.3'],
    ['127.0.0.1', '203.0.113.9, 198.51.100.7:port', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    [undefined, '198.51.100.7', ''],
  ])('connected from %s with X-Forwarded-For %s is %s', (remote, forwarded, expected) => {
    expect(addressOf(remote, forwarded)).toBe(expected)
  })

  it('is never taken from before the entry that the nearest trusted proxy added', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.ipV4(), (forged, client) => {
        fc.pre(!addresses.isProxy(client))
        expect(addressOf('127.0.0.1', [...forged, client].join(','))).toBe(client)
      }),
    )
  })
})

describe('an entry of X-Forwarded-For', () => {
  it.each(['', 'unknown', '_secret', '1.2.3', '1.2.3.4:', '1.2.3.4:x', '[::1', 'a, b', '2001:db8::1:70000x'])(
    '%j names no address',
    (entry) => expect(forwardedAddress(entry)).toBeUndefined(),
  )
})
