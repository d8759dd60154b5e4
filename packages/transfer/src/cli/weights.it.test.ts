import { connect, type Connection, listen } from '@godwit/transport/node'
import { afterEach, describe, expect, it } from 'vitest'
import { CLIENT_TLS, SERVER_TLS } from '../codes/code-proof.ts'

const opened: Array<{ close(): unknown }> = []

afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

async function openPeers(): Promise<{ readonly client: Connection; readonly server: Connection }> {
  const accepted = Promise.withResolvers<Connection>()
  const listener = await listen({
    host: '127.0.0.1',
    tls: SERVER_TLS,
    authorize: () => ({}),
    onConnection: (connection) => accepted.resolve(connection),
  })
  const client = await connect({ ...listener.local, tls: CLIENT_TLS })
  const server = await accepted.promise
  opened.push(listener)
  for (const connection of [client, server]) {
    opened.push({ close: () => connection.close(0, 'done') })
    connection.start({
      source: { read: () => true },
      data: (_object, _offset, bytes) => connection.consumed(bytes.length),
      acked: () => undefined,
      pathChanged: () => undefined,
      closed: () => undefined,
    })
  }
  return { client, server }
}

describe('the weight of a peer', () => {
  it('is what a server says to its client, with that of the policy, and never what a client says', async () => {
    const { client, server } = await openPeers()
    const weightOf = (side: Connection) => () => side.stats().session.weight
    server.setReceiveWeight(0.25)
    await expect.poll(weightOf(client)).toBe(0.25)
    client.setPolicy({ kind: 'high', weight: 2 })
    expect(weightOf(client)()).toBe(0.5)
    client.setPolicy({ kind: 'fixed', bitsPerSecond: 1e6 })
    expect(weightOf(client)()).toBe(1)
    client.setReceiveWeight(50)
    // Comes after it, and is kept to.
    client.setReceiveRate(8e6)
    await expect.poll(() => server.stats().session.limitBitsPerSecond).toBe(8e6)
    expect(weightOf(server)()).toBe(1)
  })
})
