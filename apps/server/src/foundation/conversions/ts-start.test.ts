import { describe, expect, it } from 'vitest'
import { segmentStart } from './ts-start.ts'

const PICTURE = 0x100
const SOUND = 0x101

/** A packet of MPEG-TS; what its payload leaves free is stuffed in front. */
function packet(pid: number, isFirst: boolean, payload: Buffer): Buffer {
  const stuffing = 188 - 4 - payload.length
  const adapted = stuffing === 0 ? [] : [stuffing - 1, ...Array.from({ length: stuffing - 1 }, () => 0)]
  const head = [0x47, (isFirst ? 0x40 : 0) | (pid >> 8), pid & 0xff, stuffing === 0 ? 0x10 : 0x30]
  return Buffer.concat([Buffer.from([...head, ...adapted]), payload])
}

/** A frame that is shown at a tick of the clock of 90 kHz, with units of H.264 of these types. */
function frame(ticks: number, units: readonly number[]): Buffer {
  const pts = [0x21 | (Math.floor(ticks / 2 ** 30) << 1), (ticks >> 22) & 0xff, ((ticks >> 14) & 0xfe) | 1]
  const rest = [(ticks >> 7) & 0xff, ((ticks << 1) & 0xfe) | 1]
  const content = units.flatMap((type) => [0, 0, 0, 1, 0x60 | type, 7])
  return Buffer.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, ...pts, ...rest, ...content])
}

const [AUD, SPS, PPS, IDR, SLICE] = [9, 7, 8, 5, 1] as const

describe('how a segment begins', () => {
  it('is the time of its first frame, whatever sound is in front', () => {
    const sound = packet(SOUND, true, Buffer.alloc(184, 1))
    const whole = Buffer.concat([sound, packet(PICTURE, true, frame(1_234_567, [AUD, SPS, PPS, IDR]))])
    const start = segmentStart(whole)
    expect(start?.standsAlone).toBe(true)
    expect(start?.shown).toBeCloseTo(1_234_567 / 90_000, 6)
  })
  it('is with a frame that stands alone only where its parameters and an IDR picture are in that frame', () => {
    const next = packet(PICTURE, true, frame(9_000, [SPS, IDR]))
    for (const units of [
      [AUD, SLICE],
      [SPS, PPS, SLICE],
      [AUD, IDR],
    ])
      expect(segmentStart(Buffer.concat([packet(PICTURE, true, frame(1, units)), next]))?.standsAlone).toBe(false)
  })
  it('goes over several packets', () => {
    const long = frame(90_000, [SPS, PPS, IDR])
    const parts = [packet(PICTURE, true, long.subarray(0, 18)), packet(PICTURE, false, long.subarray(18))]
    expect(segmentStart(Buffer.concat(parts))).toEqual({ shown: 1, standsAlone: true })
  })
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no MPEG-TS', Buffer.alloc(376, 1)],
    ['the rest of a frame', packet(PICTURE, false, frame(1, [SPS, IDR]))],
    ['sound alone', packet(SOUND, true, frame(1, [SPS, IDR]))],
    ['no time', packet(PICTURE, true, Buffer.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0, 0, 0, 0, 1, 0x67, 0, 0, 1, 0x65]))],
  ])('is not known of %s', (_name, bytes) => expect(segmentStart(bytes)).toBeUndefined())
})
