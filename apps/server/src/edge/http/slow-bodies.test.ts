import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { fakeClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { SlowBodies } from './slow-bodies.ts'

function request() {
  const socket = { bytesRead: 500, isCut: false, destroy: () => void (socket.isCut = true) }
  return { req: Object.assign(new EventEmitter(), { complete: false, socket }) as unknown as IncomingMessage, socket }
}

describe('senders of slow bodies', () => {
  const clock = fakeClock()
  const bodies = new SlowBodies(clock)

  it.each([
    [61_440 - 1, true],
    [61_440, false],
  ])('%i bytes in the first minute: cut %s', (bytes, isCut) => {
    const { req, socket } = request()
    bodies.watch(req)
    socket.bytesRead += bytes
    clock.advance(60_000)
    bodies.sweep()
    expect(socket.isCut).toBe(isCut)
  })
  it('judges each minute by itself', () => {
    const { req, socket } = request()
    bodies.watch(req)
    socket.bytesRead += 10_000_000
    clock.advance(60_000)
    bodies.sweep()
    clock.advance(60_000)
    bodies.sweep()
    expect(socket.isCut).toBe(true)
  })
  it('leaves those alone that have sent everything', () => {
    const { req, socket } = request()
    bodies.watch(req)
    req.emit('end')
    clock.advance(120_000)
    bodies.sweep()
    expect(socket.isCut).toBe(false)
  })
})
