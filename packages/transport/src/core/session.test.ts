import { describe, expect, it } from 'vitest'
import { CLIENT_ADDRESS, newSessionPair, SERVER_ADDRESS, type SessionPair } from '../sim/session-pair.ts'
import { newDice } from '../sim/dice.ts'
import { CLOSE_CODES } from './wire.errors.ts'

const DELAY_US = 10_000

/** A pair with an open path; answers the time then. */
function opened(pair: SessionPair): number {
  pair.client.openPath(0, SERVER_ADDRESS)
  return pair.run({ from: 0, until: 100_000, delayUs: DELAY_US })
}

describe('a session', () => {
  it('opens a path on both sides after challenge and response in both directions', () => {
    const pair = newSessionPair()
    opened(pair)
    expect(pair.states).toContain('client open')
    expect(pair.states).toContain('server open')
  })

  it('delivers every byte of a range once and reports it acknowledged once', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.send(7, 100, 200_100)
    pair.run({ from: now, until: now + 1_000_000, delayUs: DELAY_US })
    const bytes = [...pair.received.values()].reduce((sum, length) => sum + length, 0)
    const acked = pair.acked.reduce((sum, [, start, end]) => sum + end - start, 0)
    expect([bytes, acked, pair.client.unackedBytes]).toEqual([200_000, 200_000, 0])
  })

  it('sends in both directions at once', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.send(1, 0, 50_000)
    pair.server.send(2, 0, 50_000)
    pair.run({ from: now, until: now + 1_000_000, delayUs: DELAY_US })
    expect([pair.client.unackedBytes, pair.server.unackedBytes]).toEqual([0, 0])
  })

  it('takes a datagram once: a replay changes nothing', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.send(1, 0, 1000)
    const flight = pair.flights(now).find((candidate) => candidate.bytes.length > 1000)
    if (flight === undefined) throw new Error('nothing was sent')
    const copy = { ...flight, bytes: flight.bytes.slice() }
    expect(pair.deliver(now, flight)).toBe(true)
    const before = pair.server.stats(now).newBytesReceived
    expect(pair.deliver(now, copy)).toBe(false)
    expect(pair.server.stats(now).newBytesReceived).toBe(before)
  })

  it('answers nothing to datagrams that do not open', () => {
    const pair = newSessionPair()
    const dice = newDice(5)
    for (let round = 0; round < 500; round++) {
      const bytes = Uint8Array.from({ length: Math.floor(dice.next() * 1500) }, () => Math.floor(dice.next() * 256))
      bytes.set([0x40, 2, 2, 2, 2, 2, 2, 2, 2].slice(0, bytes.length))
      expect(pair.server.onDatagram(round, bytes, 5)).toBe(false)
    }
    expect(pair.server.poll(1000)).toBeUndefined()
    expect(pair.server.stats(1000).droppedDatagrams).toBe(500)
  })

  it('sends at most three times the bytes of an address that is not validated', () => {
    const pair = newSessionPair()
    pair.client.openPath(0, SERVER_ADDRESS)
    let bytesIn = 0
    let bytesOut = 0
    for (let now = 0; now < 20_000_000; now += 50_000) {
      pair.client.onTimer(now)
      pair.server.onTimer(now)
      for (const flight of pair.flights(now)) {
        if (flight.by === 'server') bytesOut += flight.bytes.length
        else if (bytesIn === 0) {
          bytesIn += flight.bytes.length
          pair.deliver(now, flight, 77)
        }
      }
      expect(bytesOut).toBeLessThanOrEqual(3 * bytesIn)
    }
    expect(bytesOut).toBeGreaterThan(0)
  })

  it('follows a client to a new address after that address has answered a challenge', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.send(1, 0, 5000)
    for (const flight of pair.flights(now)) pair.deliver(now, flight, CLIENT_ADDRESS + 1)
    const challenge = pair
      .flights(now + 1)
      .filter((flight) => flight.by === 'server' && flight.to === CLIENT_ADDRESS + 1)
    expect(challenge).toHaveLength(1)
    expect(pair.migrated).toEqual([])
    for (const flight of challenge) pair.deliver(now + 2, flight)
    for (const flight of pair.flights(now + 3)) pair.deliver(now + 4, flight, CLIENT_ADDRESS + 1)
    expect(pair.migrated).toEqual([CLIENT_ADDRESS + 1])
  })

  it('stays within the window that the peer grants until bytes are disposed of', () => {
    const pair = newSessionPair({}, { receiveWindow: 100_000 })
    const now = opened(pair)
    pair.client.send(1, 0, 1_000_000)
    const later = pair.run({ from: now, until: now + 2_000_000, delayUs: DELAY_US })
    expect(pair.server.stats(later).newBytesReceived).toBe(100_000)
    expect(pair.client.stats(later).held.peerWindow).toBeGreaterThan(1_000_000)
    pair.server.consumed(50_000)
    const end = pair.run({ from: later, until: later + 2_000_000, delayUs: DELAY_US })
    expect(pair.server.stats(end).newBytesReceived).toBe(150_000)
  })

  it('waits for a source that is not ready, and goes on when it is', () => {
    let isReady = false
    const source = { read: () => isReady }
    const pair = newSessionPair({ source })
    const now = opened(pair)
    pair.client.send(1, 0, 5000)
    const later = pair.run({ from: now, until: now + 500_000, delayUs: DELAY_US })
    expect(pair.client.stats(later).held.source).toBeGreaterThan(300_000)
    isReady = true
    pair.client.sourceReady()
    pair.run({ from: later, until: later + 500_000, delayUs: DELAY_US })
    expect(pair.client.unackedBytes).toBe(0)
  })

  it('hands queued bytes to another channel and never sends what that channel delivered', () => {
    const pair = newSessionPair()
    pair.client.send(1, 0, 10_000)
    expect(pair.client.takePending(4000)).toMatchObject({ object: 1, start: 0, end: 4000 })
    pair.client.markDelivered(1, 0, 4000)
    pair.client.markDelivered(1, 8000, 10_000)
    expect([pair.client.pendingBytes, pair.client.unackedBytes]).toEqual([4000, 4000])
    const now = opened(pair)
    pair.run({ from: now, until: now + 500_000, delayUs: DELAY_US })
    const bytes = [...pair.received.values()].reduce((sum, length) => sum + length, 0)
    expect([bytes, pair.client.unackedBytes]).toEqual([4000, 0])
  })

  it('takes back what is under way when the path is given up', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.send(1, 0, 20_000)
    const later = pair.run({
      from: now,
      until: now + 50_000,
      delayUs: DELAY_US,
      isLost: (flight) => flight.by === 'client',
    })
    expect(pair.client.pendingBytes).toBeLessThan(20_000)
    pair.client.setPaused(true)
    pair.client.reclaim()
    expect(pair.client.pendingBytes).toBe(20_000)
    expect(pair.client.stats(later).paths[0]?.inFlightBytes).toBe(0)
  })

  it('drops queue and records of an object that is forgotten', () => {
    const pair = newSessionPair()
    pair.client.send(1, 0, 10_000)
    pair.client.forget(1)
    expect([pair.client.pendingBytes, pair.client.unackedBytes]).toEqual([0, 0])
  })

  it('sends nothing but acknowledgements while paused', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.setPaused(true)
    pair.client.send(1, 0, 10_000)
    pair.run({ from: now, until: now + 500_000, delayUs: DELAY_US })
    expect(pair.received.size).toBe(0)
  })

  it('sends the peer code and reason when it closes, and both stay closed', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.close(now, CLOSE_CODES.cancelled, 'stop')
    pair.run({ from: now, until: now + 100_000, delayUs: DELAY_US })
    expect(pair.closed).toEqual(['client self 4 stop', 'server peer 4 stop'])
    expect([pair.client.isClosed, pair.server.isClosed]).toEqual([true, true])
  })

  it('closes on an acknowledgement of a packet that was never sent', () => {
    const pair = newSessionPair({ protection: { seal: () => undefined, open: () => true } })
    const now = opened(pair)
    const forged = new Uint8Array(13 + 8 + 16)
    forged.set([0x40, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 9, 9])
    forged.set([0x02, 0x7f, 0xff, 0, 0, 0, 0, 0, 0], 13)
    pair.client.onDatagram(now, forged, SERVER_ADDRESS)
    expect(pair.closed).toEqual(['client self 2 ack-range'])
  })

  it('drops a packet whose key phase does not fit its number', () => {
    const wrong = new Uint8Array(60)
    wrong.set([0x60, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 1, 0])
    const distant = new Uint8Array(60)
    distant.set([0x40, 2, 2, 2, 2, 2, 2, 2, 2, 0x20, 0, 0, 0])
    const open = { seal: () => undefined, open: () => true }
    const trusting = newSessionPair({}, { protection: open })
    opened(trusting)
    expect(trusting.server.onDatagram(200_000, wrong, 1)).toBe(false)
    expect(trusting.server.onDatagram(200_000, distant, 1)).toBe(false)
  })

  it('closes on data far beyond the window', () => {
    const pair = newSessionPair({ protection: { seal: () => undefined, open: () => true } }, { receiveWindow: 1000 })
    const now = opened(pair)
    for (let number = 100; number < 104; number++) {
      const packet = new Uint8Array(13 + 4 + 1000 + 16)
      packet.set([0x40, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, number])
      packet.set([0x09, 1, 0x44 + (number - 100) * 4, 0], 13)
      pair.server.onDatagram(now, packet, CLIENT_ADDRESS)
    }
    expect(pair.closed).toEqual(['server self 3 flow-control'])
  })

  it('declares a path dead after 30 s of silence', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.run({ from: now, until: now + 40_000_000, delayUs: DELAY_US, isLost: () => true })
    expect(pair.states).toContain('client dead')
    expect(pair.states).toContain('server dead')
  })

  it('keeps a silent path alive with a PING every 10 s', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.run({ from: now, until: now + 120_000_000, delayUs: DELAY_US })
    expect(pair.states).not.toContain('client dead')
    expect(pair.states).not.toContain('server dead')
  })

  it('uses a second path at the same time', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    pair.client.openPath(now, SERVER_ADDRESS)
    const later = pair.run({ from: now, until: now + 100_000, delayUs: DELAY_US })
    pair.client.send(1, 0, 3_000_000)
    const end = pair.run({ from: later, until: later + 2_000_000, delayUs: DELAY_US })
    expect(pair.client.unackedBytes).toBe(0)
    const [first, second] = pair.server.stats(end).paths
    expect([first?.state, second?.state]).toEqual(['open', 'open'])
  })

  it('starts after a silence as it does at once: what the peer counted before says nothing about the path', () => {
    const [fresh, rested] = [0, 8_000_000].map((restUs) => {
      const pair = newSessionPair()
      const now = opened(pair)
      const begin = pair.run({ from: now, until: now + restUs, delayUs: DELAY_US })
      pair.client.send(1, 0, 2 ** 30)
      const end = pair.run({ from: begin, until: begin + 150_000, delayUs: DELAY_US })
      return pair.server.stats(end).newBytesReceived
    })
    // Delivery doubles with each round trip: this is one round behind.
    expect(rested).toBeGreaterThan((fresh ?? Infinity) / 3)
  })

  it('refuses a packet size below 600', () => {
    expect(() => newSessionPair({ maxPacketSize: 599 })).toThrow(RangeError)
  })

  it('acknowledges nothing for ever: two idle sides fall silent', () => {
    const pair = newSessionPair()
    const now = opened(pair)
    const later = pair.run({ from: now, until: now + 1_000_000, delayUs: DELAY_US })
    let flights = 0
    for (let at = later; at < later + 5_000_000; at += 10_000) {
      pair.client.onTimer(at)
      pair.server.onTimer(at)
      for (const flight of pair.flights(at)) {
        flights += 1
        pair.deliver(at, flight)
      }
    }
    expect(flights).toBeLessThan(6)
  })
})
