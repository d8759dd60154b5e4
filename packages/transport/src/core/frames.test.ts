import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeFrames,
  FRAME,
  type FrameHandler,
  MAX_OFFSET,
  writeClose,
  writeDataHead,
  writeFiller,
  writeMaxData,
  writePing,
  writeToken,
} from './frames.ts'
import { MAX_VARINT, Reader, varintLength, writeVarint } from './varints.ts'
import { WireError } from './wire.errors.ts'

/** Writes down what a packet does, as text. */
function recorder(): { readonly log: string[]; readonly handler: FrameHandler } {
  const log: string[] = []
  return {
    log,
    handler: {
      ackBegin: (head) => log.push(`ack ${head.largest} ${head.delayUs} ${head.receivedBytes}`),
      ackRun: (first, last) => log.push(`run ${first}-${last}`),
      ackEnd: () => log.push('ack end'),
      maxData: (total) => log.push(`max ${total}`),
      pathChallenge: (source, at) => log.push(`challenge ${source[at]}`),
      pathResponse: (source, at) => log.push(`response ${source[at]}`),
      close: (close) => log.push(`close ${close.code} ${close.reason}`),
      data: (object, offset, span) => log.push(`data ${object} ${offset} ${span.length}`),
    },
  }
}

function decode(bytes: readonly number[] | Uint8Array): { readonly log: string[]; readonly elicits: boolean } {
  const { log, handler } = recorder()
  const elicits = decodeFrames(new Reader(Uint8Array.from(bytes)), handler)
  return { log, elicits }
}

describe('variable-length integers', () => {
  it('come back as they were written, in the length that was foretold', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const buffer = new Uint8Array(8)
        const end = writeVarint(buffer, 0, value)
        expect(end).toBe(varintLength(value))
        expect(new Reader(buffer, 0, end).varint()).toBe(value)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([0, 63, 64, 16_383, 16_384, 2 ** 30 - 1, 2 ** 30, MAX_VARINT])('hold the edge %d', (value) => {
    const buffer = new Uint8Array(8)
    expect(new Reader(buffer, 0, writeVarint(buffer, 0, value)).varint()).toBe(value)
  })

  it('above 2^53 - 1 are refused', () => {
    expect(() => new Reader(new Uint8Array(8).fill(0xff)).varint()).toThrow(new WireError('varint'))
  })

  it('cut short are refused', () => {
    expect(() => new Reader(Uint8Array.of(0x80, 1, 2)).varint()).toThrow(new WireError('truncated'))
  })
})

describe('frames', () => {
  it('come back in order as they were written', () => {
    const buffer = new Uint8Array(200)
    let end = writeMaxData(buffer, 0, 1_000_000)
    end = writePing(buffer, end)
    end = writeToken(buffer, end, { type: FRAME.pathChallenge, token: new Uint8Array(8).fill(7) })
    end = writeToken(buffer, end, { type: FRAME.pathResponse, token: new Uint8Array(8).fill(9) })
    end = writeClose(buffer, end, { code: 4, reason: 'stop' })
    end = writeDataHead(buffer, end, { object: 3, offset: 70_000 })
    const { log, elicits } = decode(buffer.subarray(0, end + 5))
    expect(log).toEqual(['max 1000000', 'challenge 7', 'response 9', 'close 4 stop', 'data 3 70000 5'])
    expect(elicits).toBe(true)
  })

  it('of data come back for any object and offset', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), fc.integer({ min: 0, max: MAX_OFFSET - 10 }), (object, offset) => {
        const buffer = new Uint8Array(32)
        const end = writeDataHead(buffer, 0, { object, offset })
        expect(decode(buffer.subarray(0, end + 10)).log).toEqual([`data ${object} ${offset} 10`])
      }),
      { numRuns: 300 },
    )
  })

  it('after padding are not read', () => {
    expect(decode([FRAME.padding, 0xff, 0xff]).log).toEqual([])
  })

  it('that fill a packet ask for an acknowledgement', () => {
    const buffer = new Uint8Array(50)
    expect(decode(buffer.subarray(0, writeFiller(buffer, 0, 50))).elicits).toBe(true)
  })

  it('of acknowledgement, credit and close alone ask for none', () => {
    const buffer = new Uint8Array(50)
    expect(decode(buffer.subarray(0, writeClose(buffer, 0, { code: 0, reason: '' }))).elicits).toBe(false)
    expect(decode([FRAME.ackRanges, 9, 0, 0, 0, 0, 0, 0]).elicits).toBe(false)
    expect(decode(buffer.subarray(0, writeMaxData(buffer, 0, 5))).elicits).toBe(false)
  })

  it('of an unknown type from 0x40 on are skipped by their length', () => {
    expect(decode([0x40, 0x45, 2, 0xaa, 0xbb, FRAME.ping]).elicits).toBe(true)
  })

  it('of an unknown type below 0x40 are refused', () => {
    expect(() => decode([0x0f])).toThrow(new WireError('frame-type'))
  })

  it.each([
    ['data without bytes', [FRAME.data, 0, 0], 'length'],
    ['data beyond 2^52', [FRAME.data, 0, 0xc0, 0x10, 0, 0, 0, 0, 0, 0, 1, 1], 'overflow'],
    ['an object above 2^32 - 1', [FRAME.data, 0xc0, 0, 0, 1, 0, 0, 0, 0, 0, 1], 'overflow'],
    ['a challenge cut short', [FRAME.pathChallenge, 1, 2, 3], 'truncated'],
    ['a reason longer than the packet', [FRAME.close, 0, 50, 1], 'truncated'],
    ['a reason longer than 256 bytes', [FRAME.close, 0, 0x41, 0x01, ...new Array<number>(257).fill(65)], 'length'],
    ['an ignorable frame longer than the packet', [0x40, 0x40, 60], 'truncated'],
    ['an acknowledgement below zero', [FRAME.ackRanges, 3, 0, 0, 0, 0, 0, 5], 'ack-range'],
    ['a gap below zero', [FRAME.ackRanges, 9, 0, 0, 0, 0, 1, 0, 20, 0], 'ack-range'],
    ['more than 1024 ranges', [FRAME.ackRanges, 0x7f, 0xff, 0, 0, 0, 0, 0x44, 0x00, 0], 'ack-range'],
    ['an empty bitmap', [FRAME.ackBitmap, 9, 0, 0, 0, 0, 0], 'ack-range'],
    ['a bitmap that begins below zero', [FRAME.ackBitmap, 9, 0, 0, 0, 0, 3, 1, 1, 1], 'ack-range'],
    ['a bitmap with a bit above the largest', [FRAME.ackBitmap, 9, 0, 0, 0, 0, 1, 0b1000], 'ack-range'],
  ] as const)('refuse %s', (_name, bytes, fault) => {
    expect(() => decode([...bytes])).toThrow(new WireError(fault))
  })
})
