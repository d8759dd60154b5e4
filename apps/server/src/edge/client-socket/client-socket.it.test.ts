import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fakeClock } from '@godwit/base'
import { connectScriptedClient, type ScriptedClient } from '@godwit/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createClients, type Clients } from '../../exchange/clients/clients.service.ts'
import { createBus } from '../../kernel/events/index.ts'
import { defaultClientRules } from '../../testing/client-rules.ts'
import { callerCtx } from '../../testing/worlds.ts'
import { ClientSocket } from './client-socket.ts'
import { userPrincipal } from '../../testing/principals.ts'

const MEI = userPrincipal({ id: 'mei', sessionId: 's' })
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('a desktop client that does not answer', () => {
  let server: WebSocketServer
  let clients: Clients
  let client: ScriptedClient
  const sockets: ClientSocket[] = []

  beforeEach(async () => {
    const bus = createBus((_name, thrown) => {
      throw thrown
    })
    clients = createClients({ rules: () => Promise.resolve(defaultClientRules()), bus })
    const login = {
      principal: MEI,
      bearer: 't',
      renew: () => Promise.resolve(MEI),
      endedBy: () => Promise.resolve(undefined),
    }
    const credentials = { prove: () => Promise.resolve(login) }
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    server.on('connection', (connection) => {
      const devices = {
        isSignedIn: () => Promise.resolve(false),
        seen: () => Promise.resolve(),
        connected: () => Promise.resolve(),
        upgraded: () => Promise.resolve(),
      }
      const deps = { clients, credentials, devices, clock: fakeClock(), log: SILENT, commandMs: 20 }
      sockets.push(new ClientSocket(deps, connection, callerCtx()))
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    client = await connectScriptedClient({ url: `http://127.0.0.1:${port}`, token: 't' })
  })
  afterEach(async () => {
    await client.close()
    sockets.length = 0
    server.close()
  })

  it('to a command, fails it with 5915 and stays connected', async () => {
    client.obey('silent')
    await expect(clients.setSpace(MEI, 1)).rejects.toMatchObject({ code: 'TRANSFER_CLIENT_TIMEOUT', wire: 5915 })
    client.obey('yes')
    expect(await clients.setSpace(MEI, 1)).toBe(true)
  })

  it('to the beat, is cut and counts as gone', async () => {
    // Nobody gives it the time to answer the first beat before the second one comes.
    for (const socket of sockets) {
      socket.beat()
      socket.beat()
    }
    expect(await client.closed).toBe(1006)
    await expect.poll(() => clients.online()).toBe(0)
  })

  it('is answered as often as it pings, and never cut while it does', async () => {
    for (let beats = 0; beats < 5; beats++) {
      for (const socket of sockets) socket.beat()
      // The answer to the beat arrives before the answer to the message behind it.
      expect(await client.status(true)).toBe(200)
    }
    expect(await clients.online()).toBe(1)
  })
})
