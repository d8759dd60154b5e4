import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  expandPacketNumber,
  MAX_PACKET,
  type PacketHeader,
  PACKETS_PER_PHASE,
  phaseOf,
  readHeader,
  writeHeader,
} from './packets.ts'

const ID = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)

function roundTrip(path: number, number: number): PacketHeader | undefined {
  const datagram = new Uint8Array(100)
  writeHeader(datagram, 0, { path, id: ID, number })
  const header: PacketHeader = { phaseBit: 0, path: 0, low: 0 }
  return readHeader(datagram, ID, header) ? header : undefined
}

describe('packet headers', () => {
  it('come back with path, phase bit and the low half of the number', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.integer({ min: 0, max: 2 ** 52 }), (path, number) => {
        const header = roundTrip(path, number)
        expect(header).toEqual({ path, phaseBit: phaseOf(number) % 2, low: number % 2 ** 32 })
      }),
      { numRuns: 300 },
    )
  })

  it('of another connection, version or type are refused, and so are packets that are too short or too long', () => {
    const header: PacketHeader = { phaseBit: 0, path: 0, low: 0 }
    const datagram = new Uint8Array(100)
    writeHeader(datagram, 0, { path: 0, id: ID, number: 1 })
    const changed = (at: number, value: number): Uint8Array => {
      const copy = datagram.slice()
      copy[at] = value
      return copy
    }
    expect(readHeader(changed(8, 9), ID, header)).toBe(false)
    expect(readHeader(changed(0, 0b1000_0000), ID, header)).toBe(false)
    expect(readHeader(changed(0, 0b0100_0001), ID, header)).toBe(false)
    expect(readHeader(datagram.subarray(0, 29), ID, header)).toBe(false)
    expect(readHeader(new Uint8Array(MAX_PACKET + 1).fill(0x40), ID, header)).toBe(false)
  })
})

describe('packet numbers', () => {
  it('expand to the number that was sent, when it is within 2^31 of the next one expected', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 52 }),
        fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }),
        (expected, distance) => {
          const number = expected + distance
          fc.pre(number >= 0)
          expect(expandPacketNumber(number % 2 ** 32, expected)).toBe(number)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('change the key phase every 2^22 packets', () => {
    expect(phaseOf(PACKETS_PER_PHASE - 1)).toBe(0)
    expect(phaseOf(PACKETS_PER_PHASE)).toBe(1)
    expect(PACKETS_PER_PHASE).toBe(4_194_304)
  })
})
