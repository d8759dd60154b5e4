import { once } from 'node:events'
import { createRateLimit } from '@godwit/transport/core'
import { connect, type Connection, listen, type Listener, systemMicros } from '@godwit/transport/node'
import { afterEach, describe, expect, it } from 'vitest'
import { Relay } from '../testing/relay.ts'
import { CLIENT_TLS, SERVER_TLS } from '../codes/code-proof.ts'

const FORGED = '127.0.0.9'
const MUCH = 1e9

const opened: Array<{ close(): unknown }> = []

afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

interface Peers {
  readonly relay: Relay
  readonly client: Connection
  readonly server: Connection
  readonly serverEnded: Promise<unknown>
}

/** A server that has much to send to its client, with a relay between that `prepare` may set up first. */
async function openPeers(prepare: (relay: Relay) => void): Promise<Peers> {
  const accepted = new EventTarget()
  let server: Connection | undefined
  const listener: Listener = await listen({
    host: '127.0.0.1',
    tls: SERVER_TLS,
    authorize: () => ({ limit: createRateLimit(systemMicros(), 8e6) }),
    onConnection(connection) {
      server = connection
      start(connection, () => accepted.dispatchEvent(new Event('ended')))
      connection.send(1, 0, MUCH)
      accepted.dispatchEvent(new Event('there'))
    },
  })
  const there = once(accepted, 'there')
  const serverEnded = once(accepted, 'ended')
  const relay = await Relay.open(listener.local)
  prepare(relay)
  const { host, port } = relay
  const client = await connect({ host, port, tls: CLIENT_TLS, settings: { receiveWindow: 2 * MUCH } })
  await there
  if (server === undefined) throw new Error('no connection')
  const begun = server
  start(client, () => undefined)
  opened.push(listener, relay, { close: () => client.close(0, 'done') }, { close: () => begun.close(0, 'done') })
  return { relay, client, server, serverEnded }
}

function start(connection: Connection, ended: () => void): void {
  connection.start({
    source: { read: () => true },
    data: (_object, _offset, bytes) => connection.consumed(bytes.length),
    acked: () => undefined,
    pathChanged: () => undefined,
    closed: ended,
  })
}

/** Looks at every datagram: the largest share that went to an address of what had come from there. Settles when `isEnough`. */
function watch(relay: Relay, rules: { at: string; blocked: boolean; isEnough: (count: number) => boolean }) {
  const seen = { count: 0, worst: 0 }
  const enough = Promise.withResolvers<void>()
  relay.passes = (by, _datagram, at) => {
    if (at === rules.at) {
      const bytes = relay.atServer.get(at)
      if (by === 'server') seen.worst = Math.max(seen.worst, (bytes?.out ?? 0) / (bytes?.in ?? 0))
      if (rules.isEnough(++seen.count)) enough.resolve()
    }
    return !(rules.blocked && by === 'server' && at === rules.at)
  }
  return { seen, enough: enough.promise }
}

describe('an address that somebody else may have forged', () => {
  it('gets at most three times its bytes while a first path is validated, with the farewell (T63)', async () => {
    let watching: ReturnType<typeof watch> | undefined
    const { relay, server, serverEnded } = await openPeers((fresh) => {
      watching = watch(fresh, { at: '127.0.0.3', blocked: true, isEnough: (count) => count > 16 })
    })
    await watching?.enough
    server.close(4, 'x'.repeat(250))
    await serverEnded
    const bytes = relay.atServer.get('127.0.0.3')
    expect(watching?.seen.worst).toBeGreaterThan(0)
    expect(watching?.seen.worst).toBeLessThanOrEqual(3)
    expect(bytes?.out).toBeLessThanOrEqual(3 * (bytes?.in ?? 0))
  })

  it('gets at most three times its bytes when a live transfer seems to move there, and all once it has answered (T63)', async () => {
    const { relay } = await openPeers(() => undefined)
    const first = watch(relay, { at: '127.0.0.3', blocked: false, isEnough: (count) => count > 500 })
    await first.enough
    await relay.moveTo(FORGED)
    const moving = watch(relay, { at: FORGED, blocked: true, isEnough: (count) => count > 60 })
    await moving.enough
    expect(moving.seen.worst).toBeGreaterThan(0)
    expect(moving.seen.worst).toBeLessThanOrEqual(3)
    const moved = watch(relay, {
      at: FORGED,
      blocked: false,
      isEnough: () => (relay.atServer.get(FORGED)?.out ?? 0) > 2_000_000,
    })
    await moved.enough
    expect(relay.atServer.get(FORGED)?.out).toBeGreaterThan(3 * (relay.atServer.get(FORGED)?.in ?? Infinity))
  })
})
