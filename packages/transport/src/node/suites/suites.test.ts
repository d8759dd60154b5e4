import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PacketView } from '../../core/index.ts'
import { openSuite, preferredSuite } from './choose-suite.ts'
import type { SuiteName } from './keys.ts'

const SUITES: SuiteName[] = ['aes-256-gcm', 'chacha20-poly1305', 'aes-256-gmac']
const secret = new Uint8Array(32).fill(9)

function packet(length: number, numbers: { pathId: number; phase: number; packetNumber: number }): PacketView {
  const buffer = new Uint8Array(4096).map((_value, index) => index * 7)
  return { buffer, start: 100, bodyStart: 113, end: 113 + length, ...numbers }
}

for (const name of SUITES)
  for (const sealing of [true, false])
    for (const opening of [true, false])
      describe(`${name}, sealed by the ${sealing ? 'native' : 'portable'} and opened by the ${opening ? 'native' : 'portable'} engine`, () => {
        it('gives back what was sealed, on every path, phase and number', async () => {
          const client = (await openSuite(name, { secret, own: 'client', fast: sealing })).suite
          const server = (await openSuite(name, { secret, own: 'server', fast: opening })).suite
          fc.assert(
            fc.property(fc.nat(1400), fc.nat(7), fc.nat(9), fc.nat(2 ** 31), (length, pathId, phase, packetNumber) => {
              const view = packet(length + 1, { pathId, phase, packetNumber })
              const clear = view.buffer.slice()
              client.seal(view)
              const sealed = view.buffer.slice()
              const isAsItWas = Buffer.compare(sealed.subarray(113, view.end), clear.subarray(113, view.end)) === 0
              if (name === 'aes-256-gmac') expect(isAsItWas).toBe(true)
              // One byte in 256 stays as it was by chance; sixteen do not.
              else if (length >= 16) expect(isAsItWas).toBe(false)
              expect(server.open(view)).toBe(true)
              expect(Buffer.compare(view.buffer.subarray(0, view.end), clear.subarray(0, view.end))).toBe(0)
            }),
            { numRuns: 30 },
          )
          client.close()
          server.close()
        })

        it('refuses any flipped bit of header, body or tag, another number and its own direction', async () => {
          const client = (await openSuite(name, { secret, own: 'client', fast: sealing })).suite
          const server = (await openSuite(name, { secret, own: 'server', fast: opening })).suite
          const view = packet(50, { pathId: 1, phase: 0, packetNumber: 5 })
          client.seal(view)
          const sealed = view.buffer.slice()
          for (let bit = view.start * 8; bit < (view.end + 16) * 8; bit++) {
            const bytes = sealed.slice()
            bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) ^ (1 << (bit & 7))
            expect(server.open({ ...view, buffer: bytes })).toBe(false)
          }
          expect(server.open({ ...view, buffer: sealed.slice(), packetNumber: 6 })).toBe(false)
          expect(client.open({ ...view, buffer: sealed.slice() })).toBe(false)
          expect(server.open({ ...view, buffer: sealed.slice() })).toBe(true)
        })
      })

describe('the suite a machine prefers', () => {
  it('is authenticated in every case, encrypted or not', () => {
    expect(preferredSuite(true, true)).toBe('aes-256-gcm')
    expect(preferredSuite(true, false)).toBe('chacha20-poly1305')
    expect(preferredSuite(false, true)).toBe('aes-256-gmac')
  })
})
