import { once } from 'node:events'
import { connect, createServer, type AddressInfo, Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { Endpoint } from '../ports/port.types.ts'
import { openTcp } from './open-tcp.ts'

async function listening() {
  const accepted: Socket[] = []
  const server = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: { host: '127.0.0.1', port },
    accepted,
    async [Symbol.asyncDispose]() {
      for (const socket of accepted) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Of these attempts the first ones are never answered, as if their SYN had been lost. */
function losing(count: number) {
  const dialled: Socket[] = []
  const dial = (address: Endpoint): Socket => {
    const socket = dialled.length < count ? new Socket() : connect(address)
    dialled.push(socket)
    return socket
  }
  return { dialled, dial }
}

it('is one attempt where the server answers', async () => {
  await using server = await listening()
  const { dialled, dial } = losing(0)
  const socket = await openTcp(server.address, undefined, dial)
  expect(dialled).toEqual([socket])
  expect(socket.listenerCount('error')).toBe(0)
  socket.destroy()
})

it('is there by a second attempt when the first one gets lost, which leaves nothing behind', async () => {
  await using server = await listening()
  const { dialled, dial } = losing(1)
  const socket = await openTcp(server.address, undefined, dial)
  expect(dialled).toHaveLength(2)
  expect(dialled[1]).toBe(socket)
  expect(dialled[0]?.destroyed).toBe(true)
  expect(server.accepted).toHaveLength(1)
  socket.destroy()
})

it('takes the first attempt when that one is answered after all', async () => {
  await using server = await listening()
  const { dialled, dial } = losing(2)
  const opening = openTcp(server.address, undefined, dial)
  await expect.poll(() => dialled.length).toBe(2)
  dialled[0]?.connect(server.address)
  const socket = await opening
  expect(socket).toBe(dialled[0])
  expect(dialled[1]?.destroyed).toBe(true)
  socket.destroy()
})

it('fails at once where nobody listens, and leaves no attempt behind when it is stopped', async () => {
  const server = await listening()
  await server[Symbol.asyncDispose]()
  await expect(openTcp(server.address)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const { dialled, dial } = losing(2)
  const stop = new AbortController()
  const opening = openTcp(server.address, stop.signal, dial)
  await expect.poll(() => dialled.length).toBe(2)
  stop.abort()
  await expect(opening).rejects.toThrow('aborted')
  expect(dialled.map(({ destroyed }) => destroyed)).toEqual([true, true])
  await expect(openTcp(server.address, stop.signal)).rejects.toThrow('aborted')
})
