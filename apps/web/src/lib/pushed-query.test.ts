import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import type { FileSocket, SocketEventOf } from './file-socket.ts'
import { followPushed } from './pushed-query.ts'
import { createStore } from './store.ts'

type Changed = SocketEventOf<'client.changed'>

const KEY = ['client']

/** A query whose answers the test gives, and a socket on which it pushes. */
function begin() {
  const answers: Array<(version: string) => void> = []
  const listeners = new Set<(event: Changed) => void>()
  const online = createStore(false)
  const client = new QueryClient()
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const stopQuery = new QueryObserver(client, { queryKey: KEY, queryFn, staleTime: Infinity }).subscribe(
    () => undefined,
  )
  const on = (_name: string, listener: (event: Changed) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const socket = { on: on as unknown as FileSocket['on'], online }
  const follow = () =>
    followPushed(client, socket, {
      ...{ event: 'client.changed' as const, queryKey: KEY },
      take: (event) => event.client.version,
    })
  const stop = follow()
  const push = (version: string) => {
    for (const listener of listeners) listener({ client: { version } } as unknown as Changed)
  }
  const shown = () => client.getQueryData(KEY)
  const end = () => {
    stop()
    stopQuery()
    client.clear()
  }
  return { answers, listeners, online, push, shown, follow, end }
}

describe('a query that the server pushes to', () => {
  let query: ReturnType<typeof begin>
  afterEach(() => query.end())

  it('keeps what was pushed, though the answer that it asked for before comes later', async () => {
    query = begin()
    query.push('2')
    query.push('3')
    query.answers[0]?.('1')
    await expect.poll(query.shown).toBe('3')
    query.online.set(true)
    await expect.poll(() => query.answers).toHaveLength(2)
    query.push('4')
    query.answers[1]?.('3')
    await expect.poll(query.shown).toBe('4')
  })

  it('asks again once the socket is up: what changed before was not pushed', async () => {
    query = begin()
    query.online.set(true)
    await expect.poll(() => query.answers).toHaveLength(2)
    query.answers[1]?.('2')
    query.answers[0]?.('1')
    await expect.poll(query.shown).toBe('2')
    query.end()
    expect(query.listeners.size).toBe(0)
  })

  it('is asked for once, however many parts of the page follow it, and until the last of them is gone', async () => {
    query = begin()
    const others = [query.follow(), query.follow()]
    expect(query.listeners.size).toBe(1)
    query.online.set(true)
    await expect.poll(() => query.answers).toHaveLength(2)
    for (const stop of others) stop()
    others[0]?.()
    expect(query.listeners.size).toBe(1)
    query.push('2')
    await expect.poll(query.shown).toBe('2')
    expect(query.answers).toHaveLength(2)
    query.end()
    expect(query.listeners.size).toBe(0)
  })
})
