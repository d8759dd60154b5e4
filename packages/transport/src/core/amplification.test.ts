import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newDice, randomOf } from '../sim/dice.ts'
import { CLIENT_ADDRESS, newSessionPair, SERVER_ADDRESS } from '../sim/session-pair.ts'
import { FRAME } from './frames.ts'
import { createSession, type Session } from './index.ts'
import { CLOSE_CODES } from './wire.errors.ts'

const SERVER_ID = new Uint8Array(8).fill(2)
const HEADER = 13
const TAG = 16

/** What a peer that knows the keys, and forges its address, may do next. */
type Step =
  | {
      readonly kind: 'packet'
      readonly from: number
      readonly path: number
      readonly size: number
      readonly frame: number
      readonly isOld: boolean
    }
  | { readonly kind: 'answer'; readonly to: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'close'; readonly reason: number }

const FRAMES = [FRAME.ping, FRAME.pathChallenge, FRAME.pathResponse, FRAME.pmtuProbe, FRAME.data, FRAME.close, 0x3f]

/** A server's session, and what went to and came from each address. */
class Attack {
  readonly server: Session
  readonly bytesIn = new Map<number, number>()
  readonly bytesOut = new Map<number, number>()
  readonly validated = new Set<number>()
  readonly #challenges = new Map<number, { path: number; token: Uint8Array }>()
  readonly #next = [100, 100, 100]
  #now = 0

  constructor() {
    const nothing = (): void => undefined
    this.server = createSession({
      role: 'server',
      localConnectionId: SERVER_ID,
      remoteConnectionId: new Uint8Array(8).fill(1),
      protection: { seal: nothing, open: () => true },
      random: randomOf(newDice(3)),
      source: { read: () => true },
      events: { data: nothing, acked: nothing, pathState: nothing, migrated: nothing, closed: nothing },
    })
    this.server.send(1, 0, 50_000_000)
  }

  take(step: Step): void {
    if (step.kind === 'packet') this.#packet(step)
    else if (step.kind === 'answer') this.#answer(step.to)
    else if (step.kind === 'close') this.server.close(this.#now, CLOSE_CODES.cancelled, 'x'.repeat(step.reason))
    else this.#now += step.ms * 1000
    this.#drain()
  }

  #packet(step: Extract<Step, { kind: 'packet' }>): void {
    const body = new Uint8Array(step.size - HEADER - TAG)
    // A type, then a token, an object or a length, whichever it is: zeros.
    body[0] = step.frame
    if (step.frame === FRAME.data) body.fill(0, 1)
    this.#deliver(step.from, step.path, { body, isOld: step.isOld })
  }

  #answer(to: number): void {
    const challenge = this.#challenges.get(to)
    if (challenge === undefined) return
    const body = new Uint8Array(600)
    body[0] = FRAME.pathResponse
    body.set(challenge.token, 1)
    this.validated.add(to)
    this.#deliver(to, challenge.path, { body, isOld: false })
  }

  #deliver(from: number, path: number, packet: { body: Uint8Array; isOld: boolean }): void {
    const newest = this.#next[path] ?? 0
    const number = packet.isOld ? newest - 90 : newest
    this.#next[path] = newest + 1
    const datagram = new Uint8Array(HEADER + packet.body.length + TAG)
    datagram[0] = 0x40 | (path << 2)
    datagram.set(SERVER_ID, 1)
    new DataView(datagram.buffer).setUint32(9, number)
    datagram.set(packet.body, HEADER)
    if (!this.server.onDatagram(this.#now, datagram, from)) return
    this.bytesIn.set(from, (this.bytesIn.get(from) ?? 0) + datagram.length)
  }

  #drain(): void {
    this.server.onTimer(this.#now)
    for (let count = 0; count < 500; count++) {
      const batch = this.server.poll(this.#now)
      if (batch === undefined) return
      this.bytesOut.set(batch.to, (this.bytesOut.get(batch.to) ?? 0) + batch.length)
      if (batch.buffer[HEADER] !== FRAME.pathChallenge) continue
      this.#challenges.set(batch.to, { path: batch.path, token: batch.buffer.slice(HEADER + 1, HEADER + 9) })
    }
  }
}

const address = fc.integer({ min: 1, max: 4 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('packet' as const),
        from: address,
        path: fc.integer({ min: 0, max: 2 }),
        size: fc.oneof(fc.integer({ min: 30, max: 60 }), fc.integer({ min: 30, max: 1442 })),
        frame: fc.constantFrom(...FRAMES),
        isOld: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('answer' as const), to: address }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('close' as const), reason: fc.integer({ min: 0, max: 256 }) }),
    },
  ),
  { maxLength: 40 },
)

describe('a server before it knows that an address is real', () => {
  it('sends there at most three times what came from there, whatever comes: challenges, probes, answers and CLOSE', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const attack = new Attack()
        for (const step of list) {
          attack.take(step)
          for (const [to, bytes] of attack.bytesOut) {
            if (attack.validated.has(to)) continue
            expect(bytes, `to ${to}`).toBeLessThanOrEqual(3 * (attack.bytesIn.get(to) ?? 0))
          }
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('sends no reason that is longer than what may have come from there', () => {
    const attack = new Attack()
    attack.take({ kind: 'packet', from: 1, path: 0, size: 40, frame: FRAME.ping, isOld: false })
    attack.take({ kind: 'close', reason: 256 })
    expect(attack.bytesOut.get(1) ?? 0).toBeLessThanOrEqual(120)
  })
})

describe('a path that was silent for longer than a path lives', () => {
  it.each([
    ['that was open', 5_000_000],
    ['that never opened', 0],
  ])('%s opens when it is asked again', (_what, darkFrom) => {
    const pair = newSessionPair()
    pair.client.openPath(0, SERVER_ADDRESS)
    const opened = pair.run({ from: 0, until: darkFrom, delayUs: 10_000 })
    const dark = pair.run({ from: opened, until: opened + 60_000_000, delayUs: 10_000, isLost: () => true })
    expect(pair.states).toContain('client dead')
    pair.states.length = 0
    pair.client.movePath(dark, 0, SERVER_ADDRESS)
    pair.client.send(1, 0, 100_000)
    pair.run({ from: dark, until: dark + 5_000_000, delayUs: 10_000 })
    expect(pair.states).toContain('client open')
    expect(pair.client.unackedBytes).toBe(0)
  })

  it('is not open at a server that never saw it answer', () => {
    const pair = newSessionPair()
    pair.client.openPath(0, SERVER_ADDRESS)
    const isAnswer = ({ by }: { by: string }): boolean => by === 'server'
    const dark = pair.run({ from: 0, until: 20_000_000, delayUs: 10_000, isLost: isAnswer })
    pair.run({ from: dark, until: dark + 40_000_000, delayUs: 10_000, isLost: () => true })
    expect(pair.states).toContain('server dead')
    pair.states.length = 0
    pair.client.movePath(dark + 40_000_000, 0, SERVER_ADDRESS)
    for (const flight of pair.flights(dark + 40_000_000)) pair.deliver(dark + 40_000_001, flight, CLIENT_ADDRESS)
    expect(pair.states).not.toContain('server open')
  })
})
