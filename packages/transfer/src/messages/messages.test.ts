import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TransferError } from '../errors/transfer-error.ts'
import { IncomingMessages, OutgoingMessages } from './message-log.ts'
import { decodeMessage, encodeMessage, EXISTING_POLICIES, type Message, VERDICTS } from './messages.ts'

const ranges = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { maxLength: 20 }).map((steps) => {
  let at = 0
  return steps.map(([gap, length]) => {
    const first = at + gap
    at = first + length
    return [first, at] as const
  })
})

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    type: fc.constant('open' as const),
    taskId: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    hashId: fc.nat(255),
    existing: fc.constantFrom(...EXISTING_POLICIES),
    isChecksum: fc.boolean(),
    isDryRun: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('accept' as const),
    isAnswering: fc.boolean(),
    keeps: fc.record({ permissions: fc.boolean(), links: fc.boolean(), holes: fc.boolean() }),
  }),
  fc.record({ type: fc.constant('verdict' as const), verdict: fc.constantFrom(...VERDICTS), files: ranges }),
  fc.record({ type: fc.constant('cancel' as const), code: fc.constant('DISK_FULL'), reason: fc.constant('no space') }),
  fc.record({ type: fc.constant('manifest-end' as const), files: fc.maxSafeNat(), bytes: fc.maxSafeNat() }),
  fc.record({ type: fc.constant('have' as const), ranges }),
  fc.record({ type: fc.constant('done' as const), ranges }),
  fc.record({ type: fc.constantFrom('compare' as const, 'want' as const), ranges }),
  fc.record({ type: fc.constant('failed' as const), file: fc.nat(), code: fc.constant('DISK_FULL') }),
  fc.record({ type: fc.constant('load' as const), diskPercent: fc.nat(100), waitingBytes: fc.nat() }),
  fc.record({ type: fc.constant('complete' as const), files: fc.nat(), failed: fc.nat() }),
)

describe('messages between the two engines', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(message, (one) => {
        expect(decodeMessage(encodeMessage(one))).toEqual(one)
      }),
    )
  })

  it('refuse an open of another version', () => {
    const taskId = new Uint8Array(16)
    const open = encodeMessage({
      type: 'open',
      taskId,
      hashId: 2,
      existing: 'update',
      isChecksum: false,
      isDryRun: false,
    })
    open[1] = 1
    expect(() => decodeMessage(open)).toThrow('another version')
  })

  it('throw nothing but typed errors on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          decodeMessage(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(TransferError)
        }
      }),
      { numRuns: 50_000 },
    )
  })

  it('arrive in order and once, in whatever pieces, order and repetition the channel brings them', () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 20 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        fc.nat(),
        (sent, cuts, seed) => {
          const log = new OutgoingMessages()
          const end = sent.map((one) => log.append(one)[1]).at(-1) ?? 0
          const pieces: Array<readonly [number, Uint8Array]> = []
          for (let at = 0, index = 0; at < end; index++) {
            const bytes = new Uint8Array(Math.min(end - at, 1 + (cuts[index % cuts.length] ?? 0)))
            log.read(at, bytes.length, { bytes, at: 0 })
            pieces.push([at, bytes])
            at += bytes.length
          }
          const shuffled = [...pieces, ...pieces].map((piece, index) => ({
            piece,
            key: ((index + 1) * 7919 + seed) % 1009,
          }))
          const incoming = new IncomingMessages()
          const got = shuffled
            .toSorted((a, b) => a.key - b.key)
            .flatMap(({ piece }) => incoming.take(piece[0], piece[1]))
          expect(got).toEqual(sent)
        },
      ),
    )
  })

  it('carry a reason of any length, cut between two characters', () => {
    for (const reason of ['x'.repeat(500), 'ä'.repeat(150), '🦆'.repeat(80)]) {
      const read = decodeMessage(encodeMessage({ type: 'cancel', code: 'DISK_FULL', reason }))
      expect(read).toMatchObject({ type: 'cancel' })
      expect(read.type === 'cancel' && reason.startsWith(read.reason)).toBe(true)
    }
  })

  it('are kept until the peer has them, and no longer', () => {
    const log = new OutgoingMessages()
    for (let index = 0; index < 500; index++) log.append({ type: 'complete', files: 1, failed: 0 })
    log.acked(7, 3500)
    expect(log.read(0, 7, { bytes: new Uint8Array(7), at: 0 })).toBe(true)
    log.acked(0, 7)
    expect(() => log.read(0, 7, { bytes: new Uint8Array(7), at: 0 })).toThrow('does not exist')
  })
})
