import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deliver, type Collector } from './syslog.delivery.ts'
import { faultOf } from './syslog.reasons.ts'

/** More than the buffers of both sides hold. */
const MESSAGES = Array.from({ length: 64 }, () => 'x'.repeat(1024 * 1024))

describe('a collector that takes a connection and stops reading', () => {
  let server: net.Server
  let collector: Collector
  const sockets: net.Socket[] = []

  beforeEach(async () => {
    server = net.createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.pause()
        server.emit('stalled')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    collector = { transport: 'tcp', host: '127.0.0.1', port, fingerprint: '' }
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await new Promise((resolve) => void server.close(resolve))
  })

  it('is given up after a while, with a reason', async () => {
    const thrown: unknown = await deliver(collector, MESSAGES, new AbortController().signal, 300).catch(
      (error: unknown) => error,
    )
    expect(thrown).toBeInstanceOf(Error)
    expect(faultOf(thrown)).toBe('timeout')
  })

  it('holds up no stop of the server', async () => {
    const stopping = new AbortController()
    const delivered = deliver(collector, MESSAGES, stopping.signal)
    await once(server, 'stalled')
    stopping.abort()
    await expect(delivered).rejects.toMatchObject({ name: 'AbortError' })
  })
})
