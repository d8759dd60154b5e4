import { type Duplex, duplexPair } from 'node:stream'
import { acceptThrough, type Connection, connectThrough, ProofError } from '@godwit/transport/node'
import { describe, expect, it } from 'vitest'
import { challengeCode, CLIENT_TLS, proveCode, SERVER_TLS } from '../codes/code-proof.ts'

const CODE = 'k3fm-9qtw-x2hp'

/** Two sides with a server between them, which may do with their bytes what it likes. */
function meet(alter: (bytes: Buffer, at: number) => Buffer = (bytes) => bytes, secret = CODE) {
  const [client, nearClient] = duplexPair()
  const [server, nearServer] = duplexPair()
  const seen: Buffer[] = []
  let at = 0
  const pass = (from: Duplex, to: Duplex): void => {
    from.on('data', (bytes: Buffer) => {
      seen.push(bytes)
      to.write(alter(Buffer.from(bytes), at))
      at += bytes.length
    })
    from.on('close', () => to.destroy())
    from.on('error', () => undefined)
  }
  pass(nearClient, nearServer)
  pass(nearServer, nearClient)
  const accepted = Promise.withResolvers<Connection>()
  const relay = { reflector: undefined, isRelayAllowed: true }
  const served = acceptThrough(
    { ...relay, pipe: server },
    {
      tls: SERVER_TLS,
      udp: 'off',
      authorize: (share, _peer, channel) =>
        challengeCode(secret, { share, channel }, { settings: {}, onProven: () => undefined }) ?? 'no proof',
      onConnection: accepted.resolve,
    },
  ).then(() => accepted.reject(new Error('nobody was accepted')))
  accepted.promise.catch(() => undefined)
  const connected = connectThrough({ ...relay, pipe: client }, { tls: CLIENT_TLS, udp: 'off', proof: proveCode(CODE) })
  return { connected, accepted: accepted.promise, served, seen }
}

/** The bytes that arrive, and how the connection ended. */
function receive(connection: Connection) {
  const bytes: Buffer[] = []
  const closed = Promise.withResolvers<string>()
  connection.start({
    source: { read: () => false },
    data(_object, _offset, got) {
      bytes.push(Buffer.from(got))
      connection.consumed(got.length)
    },
    acked: () => undefined,
    pathChanged: () => undefined,
    closed: ({ by }) => closed.resolve(by),
  })
  return { bytes, closed: closed.promise }
}

function sendText(connection: Connection, text: string): void {
  const content = Buffer.from(text)
  connection.start({
    source: {
      read(_object, start, length, target, targetAt) {
        target.set(content.subarray(start, start + length), targetAt)
        return true
      },
    },
    data: () => undefined,
    acked: () => undefined,
    pathChanged: () => undefined,
    closed: () => undefined,
  })
  connection.send(1, 0, content.length)
}

describe('a server that two sides meet at', () => {
  it('carries what they say without being able to read it', async () => {
    const { connected, accepted, seen } = meet()
    const [client, server] = await Promise.all([connected, accepted])
    const { bytes, closed } = receive(server)
    sendText(client, 'meet me at noon')
    await expect.poll(() => Buffer.concat(bytes).toString()).toBe('meet me at noon')
    client.close(0, 'done')
    expect(await closed).toBe('peer')
    expect(Buffer.concat(seen).includes('meet me')).toBe(false)
    expect(Buffer.concat(seen).includes(CODE)).toBe(false)
  })

  it('is noticed when it alters a byte of data: the connection ends, and nothing of it was taken', async () => {
    let isAltering = false
    const { connected, accepted } = meet((bytes) => {
      const last = bytes.length - 1
      return isAltering ? Buffer.from(bytes.with(last, (bytes[last] ?? 0) ^ 1)) : bytes
    })
    const [client, server] = await Promise.all([connected, accepted])
    isAltering = true
    const { bytes, closed } = receive(server)
    sendText(client, 'meet me at noon')
    expect(await closed).toBe('network')
    expect(bytes).toEqual([])
  })

  it('is noticed when it alters any part of the handshake', async () => {
    for (const target of [0, 40, 120, 300, 500, 700]) {
      const { connected, accepted } = meet((bytes, at) => {
        const index = target - at
        return index >= 0 && index < bytes.length ? Buffer.from(bytes.with(index, (bytes[index] ?? 0) ^ 255)) : bytes
      })
      const outcomes = await Promise.allSettled([connected, accepted])
      // The proof of the client is its last word: whoever has heard it all is only the receiver.
      expect(
        outcomes.map(({ status }) => status),
        String(target),
      ).toContain('rejected')
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') outcome.value.close(0, '')
    }
  })

  it('gains nothing by playing the receiver without the code', async () => {
    const { connected, served } = meet(undefined, 'aaaa-bbbb-cccc')
    await expect(connected).rejects.toBeInstanceOf(ProofError)
    await served
  })
})
