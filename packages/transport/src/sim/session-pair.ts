import { createSession, type ObjectId, type PathState, type Session, type SessionConfig } from '../core/index.ts'
import { newDice, randomOf } from './dice.ts'
import { simProtection } from './sim-protection.ts'

export const CLIENT_ADDRESS = 100
export const SERVER_ADDRESS = 1

/** A datagram that one side has sent. */
export interface Flight {
  readonly by: 'client' | 'server'
  readonly to: number
  readonly bytes: Uint8Array
}

/** Two sessions joined by hand, for tests that decide the fate of each datagram. Time is moved by the test. */
export interface SessionPair {
  readonly client: Session
  readonly server: Session
  /** Bytes that the server was given, by object and offset. */
  readonly received: Map<string, number>
  readonly acked: Array<readonly [ObjectId, number, number]>
  readonly states: Array<`${'client' | 'server'} ${PathState}`>
  readonly migrated: number[]
  readonly closed: string[]
  /** Everything that both sides want to send now, in order, not delivered. */
  flights(now: number): Flight[]
  /** Hands a flight to the other side. */
  deliver(now: number, flight: Flight, from?: number): boolean
  /** Runs both sides for a while over a line of `delayUs`; `isLost` decides about each flight. Answers the time then. */
  run(span: { from: number; until: number; delayUs: number; isLost?: (flight: Flight) => boolean }): number
}

export function newSessionPair(
  overrides: Partial<SessionConfig> = {},
  serverOverrides: Partial<SessionConfig> = {},
): SessionPair {
  const log: Log = { received: new Map(), acked: [], states: [], migrated: [], closed: [] }
  const client = createSession({ ...configOf('client', log), ...overrides })
  const server = createSession({ ...configOf('server', log), ...overrides, ...serverOverrides })
  const pair: SessionPair = {
    ...log,
    client,
    server,
    flights: (now) => [...drain('client', client, now), ...drain('server', server, now)],
    deliver: (now, flight, from) =>
      flight.by === 'client'
        ? server.onDatagram(now, flight.bytes, from ?? CLIENT_ADDRESS)
        : client.onDatagram(now, flight.bytes, from ?? SERVER_ADDRESS),
    run: (span) => runPair(pair, span),
  }
  return pair
}

type Log = Pick<SessionPair, 'received' | 'acked' | 'states' | 'migrated' | 'closed'>

function configOf(role: 'client' | 'server', log: Log): SessionConfig {
  return {
    role,
    localConnectionId: new Uint8Array(8).fill(role === 'client' ? 1 : 2),
    remoteConnectionId: new Uint8Array(8).fill(role === 'client' ? 2 : 1),
    protection: simProtection(1, true),
    random: randomOf(newDice(role === 'client' ? 11 : 12)),
    source: { read: () => true },
    events: {
      data: (object, offset, bytes) => log.received.set(`${object}:${offset}`, bytes.length),
      acked: (object, start, end) => log.acked.push([object, start, end]),
      pathState: (_path, state) => log.states.push(`${role} ${state}`),
      migrated: (_path, address) => log.migrated.push(address),
      closed: (close) => log.closed.push(`${role} ${close.by} ${close.code} ${close.reason}`),
    },
  }
}

function drain(by: 'client' | 'server', session: Session, now: number): Flight[] {
  const flights: Flight[] = []
  for (let batch = session.poll(now); batch !== undefined; batch = session.poll(now)) {
    for (let at = 0; at < batch.length; at += batch.segmentSize) {
      flights.push({ by, to: batch.to, bytes: batch.buffer.slice(at, Math.min(at + batch.segmentSize, batch.length)) })
    }
  }
  return flights
}

function runPair(pair: SessionPair, span: Parameters<SessionPair['run']>[0]): number {
  const { client, server } = pair
  const waiting: Array<{ at: number; flight: Flight }> = []
  let now = span.from
  while (now < span.until) {
    const survivors = pair.flights(now).filter((flight) => span.isLost?.(flight) !== true)
    waiting.push(...survivors.map((flight) => ({ at: now + span.delayUs, flight })))
    const next = Math.min(waiting[0]?.at ?? Infinity, client.nextWake(now), server.nextWake(now))
    if (next === Infinity) return span.until
    now = Math.max(now + 1, Math.ceil(next))
    for (let first = waiting[0]; first !== undefined && first.at <= now; first = waiting[0]) {
      waiting.shift()
      pair.deliver(now, first.flight)
    }
    client.onTimer(now)
    server.onTimer(now)
  }
  return now
}
