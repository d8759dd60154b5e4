import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { networkOf } from './half-open.ts'
import {
  MAX_FIRST_PAYLOAD,
  readClose,
  readCount,
  readWeight,
  readDataHead,
  readHello,
  readJoin,
  readWelcome,
  writeClose,
  writeCount,
  writeWeight,
  writeHello,
  writeJoin,
  writeWelcome,
} from './messages.ts'

const READERS = [readHello, readWelcome, readJoin, readDataHead, readCount, readWeight, readClose]

describe('control messages', () => {
  it('are read or refused whatever they hold, without an exception and without more memory than they have (T64)', () => {
    const shaped = fc.tuple(fc.constantFrom(0, 1, 2, 255), fc.uint8Array({ maxLength: 220 }))
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: MAX_FIRST_PAYLOAD + 100 }),
      shaped.map(([first, rest]) => Uint8Array.of(first, ...rest)),
    )
    fc.assert(
      fc.property(payload, (bytes) => {
        for (const read of READERS) {
          const message = read(bytes)
          const size = message === undefined ? 0 : JSON.stringify(message).length
          expect(size).toBeLessThanOrEqual(256 + bytes.length * 12)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('are of one version: a HELLO of another one is not understood', () => {
    const hello = writeHello({ suite: 'aes-256-gcm', udp: true, packetSize: 1442, ticket: new Uint8Array(0) })
    expect(hello[0]).toBe(2)
    for (const version of [0, 1, 3]) expect(readHello(Uint8Array.of(version, ...hello.subarray(1)))).toBeUndefined()
  })

  it('come back as they were written', () => {
    const hello = { suite: 'aes-256-gcm', udp: true, packetSize: 1442, ticket: Uint8Array.of(1, 2) } as const
    const join = { connectionId: new Uint8Array(8).fill(3), proof: new Uint8Array(32).fill(4) }
    expect(readHello(writeHello(hello))).toEqual(hello)
    expect(readJoin(writeJoin(join))).toEqual(join)
    const welcome = { udpPort: 9, packetSize: 1200, proof: new Uint8Array(96).fill(7) }
    expect(readWelcome(writeWelcome(welcome))).toEqual(welcome)
    expect(readCount(writeCount(2 ** 40))).toBe(2 ** 40)
    expect([0.01, 0.33, 1, 655.35].map((weight) => readWeight(writeWeight(weight)))).toEqual([0.01, 0.33, 1, 655.35])
    expect([0, 10_000].map((weight) => readWeight(writeWeight(weight)))).toEqual([0.01, 655.35])
    expect([readWeight(writeCount(1)), readCount(writeWeight(1))]).toEqual([undefined, undefined])
    expect(readClose(writeClose(4, 'stop'))).toEqual({ code: 4, reason: 'stop' })
  })
})

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
