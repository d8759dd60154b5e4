import { randomOf, newDice } from '../../sim/dice.ts'
import { describe, expect, it } from 'vitest'
import { readCandidates, writeCandidates } from './candidates.ts'
import { isProbe, readProbe, readReflect, readReflected, writeProbe, writeReflect, writeReflected } from './probes.ts'
import { type Outgoing, Punch } from './punch.ts'

const KEY = new Uint8Array(32).fill(7)
const NONCE = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8])

describe('candidates', () => {
  it('arrive as they were sent', () => {
    const sent = {
      endpoints: [
        { host: '203.0.113.7', port: 4711 },
        { host: '2001:db8::7', port: 1 },
      ],
      isRelayAllowed: false,
    }
    expect(readCandidates(writeCandidates(sent))).toEqual(sent)
  })

  it.each([
    '127.0.0.1 80',
    '0.0.0.0 80',
    '224.0.0.1 80',
    '255.255.255.255 80',
    '::1 80',
    'ff02::1 80',
    '192.0.2.1 0',
    'name 80',
  ])('never make this side send to %s', (line) => {
    expect(readCandidates(Buffer.from(`192.0.2.9 9\n${line}`))?.endpoints).toEqual([{ host: '192.0.2.9', port: 9 }])
  })

  it('are bounded', () => {
    const many = Array.from({ length: 60 }, (_, index) => `192.0.2.1 ${index + 1}`).join('\n')
    expect(readCandidates(Buffer.from(many))?.endpoints).toHaveLength(16)
    expect(readCandidates(Buffer.alloc(2000))).toBeUndefined()
  })
})

describe('probes', () => {
  it('are known by the other side alone: not altered, not reflected, not under another key', () => {
    const probe = writeProbe(KEY, 'client', { kind: 'ask', nonce: NONCE })
    expect(isProbe(probe)).toBe(true)
    expect(readProbe(KEY, 'client', probe)).toEqual({ kind: 'ask', nonce: NONCE })
    expect(readProbe(KEY, 'server', probe)).toBeUndefined()
    expect(readProbe(new Uint8Array(32), 'client', probe)).toBeUndefined()
    for (let at = 0; at < probe.length; at++)
      expect(readProbe(KEY, 'client', probe.with(at, (probe[at] ?? 0) ^ 1))).toBeUndefined()
  })

  it('are answered by the reflector with fewer bytes, in which no address stands as it is', () => {
    const question = writeReflect(NONCE, new Uint8Array(16).fill(9))
    expect(readReflect(question)).toEqual({ nonce: NONCE, ticket: new Uint8Array(16).fill(9) })
    const longest = '2001:0db8:1111:2222:3333:4444:5555:6666 65535'
    const answer = writeReflected(NONCE, longest)
    expect(answer.length).toBeLessThan(question.length)
    expect(Buffer.from(answer).includes('2001')).toBe(false)
    expect(readReflected(NONCE, answer)).toBe(longest)
    expect(readReflected(new Uint8Array(8), answer)).toBeUndefined()
  })
})

/** Two sides, each of which has one address; `passes` is the network between. */
function meet(passes: (by: 'client' | 'server', count: number) => boolean) {
  const sides = {
    client: new Punch({ side: 'client', key: KEY, random: randomOf(newDice(1)) }),
    server: new Punch({ side: 'server', key: KEY, random: randomOf(newDice(2)) }),
  }
  const addresses = { client: 1, server: 2 }
  const sent = { client: 0, server: 0 }
  const found: Partial<Record<'client' | 'server', number>> = {}
  const send = (now: number, by: 'client' | 'server', { datagram }: Outgoing): void => {
    const to = by === 'client' ? 'server' : 'client'
    if (!passes(by, sent[by]++)) return
    const heard = sides[to].onDatagram(now, datagram, addresses[by])
    if (heard?.found !== undefined) found[to] ??= heard.found
    if (heard?.answer !== undefined) send(now, to, heard.answer)
  }
  sides.client.aim(0, [addresses.server, 77])
  sides.server.aim(0, [addresses.client])
  for (let now = 0; now < 20_000_000; now += 50_000)
    for (const by of ['client', 'server'] as const)
      for (const outgoing of sides[by].poll(now)) if (outgoing.to !== 77) send(now, by, outgoing)
  return { found, sent, sides }
}

describe('a punch', () => {
  it('finds the address that answers', () => {
    expect(meet(() => true).found).toEqual({ client: 2, server: 1 })
  })

  it('goes on when the first probes of both are lost, as they are in routers that have not let one out yet', () => {
    expect(meet((_by, count) => count > 4).found).toEqual({ client: 2, server: 1 })
  })

  it('gives up where nothing gets through, after less than a hundred probes to each address', () => {
    const { found, sent, sides } = meet(() => false)
    expect(found).toEqual({})
    expect(sent.client).toBeLessThan(100)
    expect(sides.client.nextAt).toBe(Infinity)
  })

  it('learns where a probe comes from that nobody named', () => {
    const punch = new Punch({ side: 'client', key: KEY, random: randomOf(newDice(3)) })
    expect(punch.poll(0)).toEqual([])
    expect(punch.onDatagram(0, writeProbe(KEY, 'server', { kind: 'ask', nonce: NONCE }), 5)?.answer?.to).toBe(5)
    expect(punch.poll(0).map(({ to }) => to)).toEqual([5])
    // An answer to a probe that was never sent finds nothing.
    const forged = writeProbe(KEY, 'server', { kind: 'answer', nonce: NONCE })
    expect(punch.onDatagram(0, forged, 5)?.found).toBeUndefined()
  })
})
