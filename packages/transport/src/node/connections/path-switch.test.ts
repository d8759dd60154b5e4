import { describe, expect, it } from 'vitest'
import { type PathDecision, type PathFacts, PathSwitch } from './path-switch.ts'

const SECOND = 1_000_000
const quiet: PathFacts = {
  udpEnabled: true,
  udpOpen: false,
  udpBroken: false,
  lastHeard: -Infinity,
  waitingSince: Infinity,
  rttUs: 100_000,
  lossRate: 0,
  udpBytes: 0,
  tcpBytes: 0,
}

/** Looks as often as a connection does. Answers the last decision. */
function ticks(path: PathSwitch, span: { from: number; until: number }, facts: PathFacts): PathDecision {
  for (let now = span.from; now < span.until; now += SECOND / 10) path.tick(now, facts)
  return path.tick(span.until, facts)
}

describe('the choice between UDP and TCP', () => {
  it('begins on TCP and moves to UDP with its first answer', () => {
    const path = new PathSwitch(0)
    expect(path.tick(1000, quiet)).toMatchObject({ mode: 'tcp', reason: 'udp-waiting' })
    expect(path.tick(200_000, { ...quiet, udpOpen: true, lastHeard: 199_000 })).toMatchObject({
      mode: 'udp',
      reason: 'udp-open',
    })
  })

  it('calls UDP blocked after 1.5 s without an answer, or three round trips', () => {
    const path = new PathSwitch(0)
    expect(path.tick(1.4 * SECOND, quiet).reason).toBe('udp-waiting')
    expect(path.tick(1.6 * SECOND, quiet).reason).toBe('udp-blocked')
    const far = new PathSwitch(0)
    expect(far.tick(1.6 * SECOND, { ...quiet, rttUs: 600_000 }).reason).toBe('udp-waiting')
  })

  it('leaves a silent UDP path within two seconds, and comes back when it answers', () => {
    const path = new PathSwitch(0)
    path.tick(SECOND, { ...quiet, udpOpen: true, lastHeard: SECOND })
    const silent = { ...quiet, udpOpen: true, lastHeard: SECOND, waitingSince: SECOND }
    expect(ticks(path, { from: SECOND, until: 1.6 * SECOND }, silent).mode).toBe('udp')
    expect(ticks(path, { from: 1.6 * SECOND, until: 1.9 * SECOND }, silent)).toMatchObject({
      mode: 'tcp',
      reason: 'udp-silent',
    })
    expect(path.tick(5 * SECOND, { ...silent, lastHeard: 4.9 * SECOND }).mode).toBe('udp')
  })

  it('does not call the peer silent for a time in which this program itself did not run', () => {
    const path = new PathSwitch(0)
    path.tick(SECOND, { ...quiet, udpOpen: true, lastHeard: SECOND })
    const paused = { ...quiet, udpOpen: true, lastHeard: SECOND, waitingSince: SECOND }
    expect(path.tick(3 * SECOND, paused).mode).toBe('udp')
    expect(ticks(path, { from: 3 * SECOND, until: 3.6 * SECOND }, paused).mode).toBe('udp')
    expect(ticks(path, { from: 3.6 * SECOND, until: 3.9 * SECOND }, paused).mode).toBe('tcp')
  })

  it('keeps UDP while there is nothing to answer', () => {
    const path = new PathSwitch(0)
    path.tick(SECOND, { ...quiet, udpOpen: true, lastHeard: SECOND })
    expect(path.tick(100 * SECOND, { ...quiet, udpOpen: true, lastHeard: SECOND }).mode).toBe('udp')
  })

  it('stays on TCP for 30 s after the circuit breaker', () => {
    const path = new PathSwitch(0)
    const open = { ...quiet, udpOpen: true, lastHeard: SECOND }
    path.tick(SECOND, open)
    expect(path.tick(2 * SECOND, { ...open, udpBroken: true })).toMatchObject({ mode: 'tcp', reason: 'udp-broken' })
    expect(path.tick(20 * SECOND, { ...open, lastHeard: 20 * SECOND }).mode).toBe('tcp')
    expect(path.tick(33 * SECOND, { ...open, lastHeard: 33 * SECOND }).mode).toBe('udp')
  })

  it('compares a path that keeps losing with TCP and keeps the better', () => {
    for (const [tcpBytes, expected] of [
      [50_000_000, 'tcp'],
      [1_000_000, 'udp'],
    ] as const) {
      const path = new PathSwitch(0)
      let now = SECOND
      let udpBytes = 0
      const facts = () => ({ ...quiet, udpOpen: true, lastHeard: now, lossRate: 0.3, udpBytes })
      for (; now < 13 * SECOND; now += SECOND / 2) {
        udpBytes += 600_000
        path.tick(now, facts())
      }
      expect(path.decision).toMatchObject({ mode: 'tcp', reason: 'udp-slowed' })
      const end = now + 6 * SECOND
      for (; now < end; now += SECOND / 2) path.tick(now, { ...facts(), tcpBytes })
      expect(path.decision.mode).toBe(expected)
    }
  })

  it('follows the peer', () => {
    const path = new PathSwitch(0)
    path.tick(SECOND, { ...quiet, udpOpen: true, lastHeard: SECOND })
    expect(path.peerChose('tcp', true)).toMatchObject({ mode: 'tcp', reason: 'peer-chose' })
    expect(path.peerChose('udp', false).mode).toBe('tcp')
  })

  it('never leaves TCP when UDP is switched off', () => {
    const path = new PathSwitch(0)
    expect(path.tick(SECOND, { ...quiet, udpEnabled: false, udpOpen: true, lastHeard: SECOND }).reason).toBe('udp-off')
  })
})
