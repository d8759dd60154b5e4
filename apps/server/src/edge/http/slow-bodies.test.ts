import { EventEmitter, once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import net from 'node:net'
import { fakeClock } from '@godwit/base'
import { beforeEach, describe, expect, it } from 'vitest'
import { SlowBodies } from './slow-bodies.ts'

function request() {
  const socket = { bytesRead: 500, isCut: false, destroyed: false, destroy: () => void (socket.isCut = true) }
  return { req: Object.assign(new EventEmitter(), { complete: false, socket }) as unknown as IncomingMessage, socket }
}

describe('senders of slow bodies', () => {
  let clock: ReturnType<typeof fakeClock>
  let bodies: SlowBodies
  beforeEach(() => {
    clock = fakeClock()
    bodies = new SlowBodies(clock)
  })

  it.each([
    [15_360 - 1, true],
    [15_360, false],
  ])('%i bytes in the first 15 s: cut %s', (bytes, isCut) => {
    const { req, socket } = request()
    bodies.watch(req)
    socket.bytesRead += bytes
    clock.advance(15_000)
    bodies.sweep()
    expect(socket.isCut).toBe(isCut)
  })

  it('are judged in each window by itself', () => {
    const { req, socket } = request()
    bodies.watch(req)
    socket.bytesRead += 10_000_000
    clock.advance(15_000)
    bodies.sweep()
    expect(socket.isCut).toBe(false)
    clock.advance(15_000)
    bodies.sweep()
    expect(socket.isCut).toBe(true)
  })

  it('are cut after five minutes even when they are just fast enough', () => {
    const { req, socket } = request()
    bodies.watch(req)
    for (let second = 0; second < 300; second += 15) {
      expect(socket.isCut).toBe(false)
      socket.bytesRead += 20_000
      clock.advance(15_000)
      bodies.sweep()
    }
    expect(socket.isCut).toBe(true)
  })

  it('are left alone once they have sent everything', () => {
    const { req, socket } = request()
    bodies.watch(req)
    req.emit('end')
    clock.advance(600_000)
    bodies.sweep()
    expect(socket.isCut).toBe(false)
  })

  it('are forgotten when their connection closes after the answer and before the end', async () => {
    const server = http.createServer((req, res) => {
      bodies.watch(req)
      res.end('refused')
      req.socket.once('close', () => server.close())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\nthe first bytes')
    await once(socket, 'data')
    expect(bodies.size).toBe(1)
    socket.destroy()
    await once(server, 'close')
    bodies.sweep()
    expect(bodies.size).toBe(0)
  })
})
