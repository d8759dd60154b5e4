import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openFileSocket } from './file-socket.ts'
import type { SessionStore } from './session.ts'

/** A connection whose other end the test plays; `isDead` swallows what is sent, as a line without packets does. */
class FakeSocket {
  static readonly all: FakeSocket[] = []
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  isDead = false

  constructor() {
    FakeSocket.all.push(this)
    queueMicrotask(() => this.onopen?.())
  }

  send(text: string): void {
    const { id } = JSON.parse(text) as { id: number }
    if (!this.isDead) queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ type: 'answer', id, data: {} }) }))
  }

  close(): void {
    // The closing handshake of a dead line is never answered.
    if (!this.isDead) this.onclose?.({ code: 1000 })
  }
}

const session = { get: () => ({ token: 't' }), subscribe: () => () => undefined } as unknown as SessionStore

async function opened() {
  const socket = openFileSocket(session, () => 1)
  await vi.advanceTimersByTimeAsync(0)
  return socket
}

describe('the file socket', () => {
  let page: EventTarget
  beforeEach(() => {
    vi.useFakeTimers()
    page = new EventTarget()
    FakeSocket.all.length = 0
    vi.stubGlobal('WebSocket', FakeSocket)
    vi.stubGlobal('location', { href: 'https://files.example.org/personal' })
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('stays up while pings are answered', async () => {
    const socket = await opened()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect([socket.online.get(), FakeSocket.all.length]).toEqual([true, 1])
    socket.close()
  })

  it('gives up a line that is dead but not closed within 15 s, fails what waits, and connects anew', async () => {
    const socket = await opened()
    const [line] = FakeSocket.all
    if (line === undefined) throw new Error('no connection')
    line.isDead = true
    const input = { spaceId: 1, groupId: 0, paths: ['/a'] }
    const reason = socket.call('exists', input, undefined).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(socket.online.get()).toBe(false)
    expect(await reason).toMatchObject({ name: 'SERVER_UNAVAILABLE' })
    await vi.advanceTimersByTimeAsync(6_000)
    expect([socket.online.get(), FakeSocket.all.length]).toEqual([true, 2])
    socket.close()
  })

  it('is down at once when the browser goes offline, and up at once when it is back', async () => {
    const socket = await opened()
    page.dispatchEvent(new Event('offline'))
    expect(socket.online.get()).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(socket.online.get()).toBe(false)
    page.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(socket.online.get()).toBe(true)
    socket.close()
  })
})
