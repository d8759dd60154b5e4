import { describe, expect, it } from 'vitest'
import { bytesOfMbps, otherUnit, rateText } from './rate-text.ts'

describe('a rate of the client', () => {
  it.each([
    [0, '0 bit/s', '0 B/s'],
    [124, '992 bit/s', '124 B/s'],
    [124.99, '1 kbit/s', '125 B/s'],
    [125_000, '1 Mbit/s', '125 kB/s'],
    [1_000_000, '8 Mbit/s', '1 MB/s'],
    [12_345_678, '98.8 Mbit/s', '12.3 MB/s'],
    [999_999, '8 Mbit/s', '1 MB/s'],
    [125_000_000, '1 Gbit/s', '125 MB/s'],
    [2 ** 20, '8.39 Mbit/s', '1.05 MB/s'],
    [1_250_000_000_000, '10,000 Gbit/s', '1,250 GB/s'],
  ])('of %d bytes a second is %s or %s, in steps of 1000', (bytesPerSecond, bits, bytes) => {
    expect(rateText(bytesPerSecond, 'bits', 'en-US')).toBe(bits)
    expect(rateText(bytesPerSecond, 'bytes', 'en-US')).toBe(bytes)
  })

  it('is a limit in either unit', () => {
    expect(rateText(bytesOfMbps(20), 'bits', 'zh-CN')).toBe('20 Mbit/s')
    expect(rateText(bytesOfMbps(20), otherUnit('bits'), 'zh-CN')).toBe('2.5 MB/s')
    expect(otherUnit('bytes')).toBe('bits')
  })
})
