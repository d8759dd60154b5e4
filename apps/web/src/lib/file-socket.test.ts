import { SOCKET_SESSION_ENDED } from '@godwit/contract/content/file-socket-events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openFileSocket } from './file-socket.ts'
import type { SessionStore } from './session.ts'
import { createStore } from './store.ts'

/** A connection whose other end the test plays; `isDead` swallows what is sent, as a line without packets does. */
class FakeSocket {
  static readonly all: FakeSocket[] = []
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  isDead = false
  /** What logins wait for before they are answered. */
  static login: Promise<unknown> = Promise.resolve()
  readonly tokens: string[] = []

  constructor() {
    FakeSocket.all.push(this)
    queueMicrotask(() => this.onopen?.())
  }

  send(text: string): void {
    const { id, type, token } = JSON.parse(text) as { id: number; type: string; token?: string }
    if (this.isDead) return
    if (token !== undefined) this.tokens.push(token)
    void (type === 'login' ? FakeSocket.login : Promise.resolve()).then(() =>
      this.say({ type: 'answer', id, data: {} }),
    )
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  close(): void {
    // The closing handshake of a dead line is never answered.
    if (!this.isDead) this.onclose?.({ code: 1000 })
  }
}

let renew: (token: string) => void
let session: SessionStore

function sessionOf(token: string): SessionStore {
  const store = createStore({ token })
  renew = (next) => store.set({ token: next })
  return store as unknown as SessionStore
}

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
    FakeSocket.login = Promise.resolve()
    session = sessionOf('first')
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

  it('shows a renewed token on the connection that is open', async () => {
    const socket = await opened()
    renew('second')
    await vi.advanceTimersByTimeAsync(0)
    expect([socket.online.get(), FakeSocket.all.map(({ tokens }) => tokens)]).toEqual([true, [['first', 'second']]])
    socket.close()
  })

  it('shows a token that was renewed while the first one was being checked', async () => {
    const checked = Promise.withResolvers<undefined>()
    FakeSocket.login = checked.promise
    const socket = await opened()
    renew('second')
    checked.resolve(undefined)
    await vi.advanceTimersByTimeAsync(0)
    expect([socket.online.get(), FakeSocket.all[0]?.tokens]).toEqual([true, ['first', 'second']])
    socket.close()
  })

  it('takes the end of a spent token for no end of the session, even while the new one is on its way', async () => {
    const socket = await opened()
    const ended = vi.fn<() => void>()
    socket.on('session.ended', ended)
    FakeSocket.login = new Promise(() => {})
    renew('second')
    FakeSocket.all[0]?.say({ type: 'event', event: 'session.ended', reason: 'revoked' })
    FakeSocket.all[0]?.onclose?.({ code: SOCKET_SESSION_ENDED })
    FakeSocket.login = Promise.resolve()
    await vi.advanceTimersByTimeAsync(6_000)
    expect([ended.mock.calls, socket.online.get(), FakeSocket.all[1]?.tokens]).toEqual([[], true, ['second']])
    FakeSocket.all[1]?.say({ type: 'event', event: 'session.ended', reason: 'revoked' })
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toHaveBeenCalledOnce()
    socket.close()
  })
})
