import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { isOwnAddress, OwnAddress } from './own-address.ts'

it('knows the addresses of this computer from others', () => {
  for (const known of Object.values(networkInterfaces()))
    for (const { address } of known ?? []) expect(isOwnAddress(address), address).toBe(true)
  for (const own of [undefined, '127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1']) expect(isOwnAddress(own)).toBe(true)
  for (const other of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1']) expect(isOwnAddress(other)).toBe(false)
})

it('is gone once several looks have missed it, and not after a moment', () => {
  const socket = { localAddress: '192.0.2.1' }
  const address = new OwnAddress(socket)
  expect([0, 1, 500_000].map((now) => address.isGone(now))).toEqual([false, false, false])
  socket.localAddress = '127.0.0.1'
  expect(address.isGone(1_000_000)).toBe(false)
  socket.localAddress = '192.0.2.1'
  expect([1_500_000, 2_000_000, 2_500_000].map((now) => address.isGone(now))).toEqual([false, false, true])
})
