import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { freePort } from '@godwit/testkit'
import { channelOfTicket, parseTicket } from '@godwit/transfer/endpoints'
import { Relay } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connectApi, type Api, type Ticket } from '../server-link/api.ts'
import { ClientSite } from '../testing/client-site.ts'
import { connectToPort } from './connect.ts'
import { EarlyLine, type KnownPort, type KnownPorts } from './early-line.ts'

const SWITCH = 'cTransEncryptSwitch'

describe('the packets of a client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-client-'))
  let site: ClientSite
  let api: Api

  beforeAll(async () => {
    site = await ClientSite.open(folder)
    const token = readFileSync(site.tokenFile, 'utf8')
    api = connectApi({ server: site.url, token }, 'test')
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const newTicket = (): Promise<Ticket> => api.uploadTicket({ spaceId: 1, groupId: 0, folder: '/', name: 'a file' })
  const newLink = () =>
    ({ apiHost: '127.0.0.1', udp: 'auto', rate: Infinity, signal: AbortSignal.timeout(20_000) }) as const
  /** How a connection with the ticket protects its packets. */
  const suiteWith = async (ticket: Ticket): Promise<string | undefined> => {
    const connection = await connectToPort(ticket, newLink())
    const { engines } = connection.stats()
    connection.close(0, 'seen')
    return /aes-256-gmac|aes-256-gcm|chacha20-poly1305/.exec(engines)?.[0]
  }

  it('are encrypted, unless the site does without it', async () => {
    expect(await suiteWith(await newTicket())).toMatch(/gcm|chacha20/)
    await site.set({ key: SWITCH, from: 1, value: 0 })
    expect(await suiteWith(await newTicket())).toBe('aes-256-gmac')
    const small = join(folder, 'small.txt')
    writeFileSync(small, 'authenticated, and readable on the way')
    expect(await site.client('up', small, '/').exitCode()).toBe(0)
    expect(await site.client('down', '/small.txt', join(folder, 'back')).exitCode()).toBe(0)
    expect(readFileSync(join(folder, 'back/small.txt'), 'utf8')).toBe(readFileSync(small, 'utf8'))
    await site.set({ key: SWITCH, from: 0, value: 1 })
  })

  it('go through the proxy in front of the transfer port that the site names, by UDP and TCP', async () => {
    const { port } = await newTicket()
    const proxy = await Relay.open({ host: '127.0.0.1', port }, await freePort())
    onTestFinished(() => proxy.close())
    const changes = [
      { key: 'host', from: '', value: proxy.host },
      { key: 'proxyPort', from: 0, value: proxy.port },
    ] as const
    await site.set(...changes)
    expect(await newTicket()).toMatchObject({ host: proxy.host, port: proxy.port, udpPort: proxy.port })
    const large = join(folder, 'large.bin')
    writeFileSync(large, Buffer.alloc(4 * MiB, 'through the proxy'))
    expect(await site.client('up', large, '/', '--rate', '20M').exitCode()).toBe(0)
    expect(proxy.carried.udp).toBeGreaterThan(0)
    expect(proxy.carried.udp + proxy.carried.tcp).toBeGreaterThan(60)
    await site.set(...changes.map(({ key, from, value }) => ({ key, from: value, value: from })))
    expect(await newTicket()).toMatchObject({ host: '', port, udpPort: port })
  })

  it('are encrypted where the site demands it only after the ticket was issued', async () => {
    await site.set({ key: SWITCH, from: 1, value: 0 })
    const early = await newTicket()
    await site.set({ key: SWITCH, from: 0, value: 1 })
    expect(early.encrypted).toBe(false)
    expect(await suiteWith(early)).toMatch(/gcm|chacha20/)
  })

  describe('begin on a connection that is made before there is a ticket', () => {
    const HOST = '127.0.0.1'
    /** What is kept of the server, in memory. */
    const portsWith = (before?: KnownPort) => {
      const kept = { port: before }
      const ports: KnownPorts = {
        portOf: async () => kept.port,
        keepPort: async (_server, port) => void (kept.port = port),
      }
      return { kept, ports }
    }
    /** As an earlier transfer left it. */
    const usedPort = async (): Promise<KnownPort> => {
      const { port, ticket } = await newTicket()
      return { host: HOST, port, channel: channelOfTicket(parseTicket(ticket) ?? expect.fail('no ticket')) }
    }
    /** TCP connections that this program makes to a port. */
    const connectionsTo = (port: number): Socket[] => {
      const made: Socket[] = []
      const note = (message: unknown): void => {
        const { socket } = message as { readonly socket: Socket }
        socket.once('connect', () => socket.remotePort === port && made.push(socket))
      }
      const sockets = channel('net.client.socket')
      sockets.subscribe(note)
      onTestFinished(() => {
        sockets.unsubscribe(note)
      })
      return made
    }
    const sendsWith = async (early: EarlyLine): Promise<void> => {
      const connection = await connectToPort(await newTicket(), { ...newLink(), early })
      await expect.poll(() => connection.stats().engines).toContain('UDP')
      connection.close(0, 'seen')
    }

    it('and make no other, by what the ticket of the last time secured its own with', async () => {
      const last = await usedPort()
      const made = connectionsTo(last.port)
      const { kept, ports } = portsWith(last)
      using early = new EarlyLine(site.url, ports)
      await expect.poll(() => made.length).toBe(1)
      await sendsWith(early)
      expect(made).toHaveLength(1)
      // Nobody on the way sees the same name of a key twice.
      expect(kept.port).toMatchObject({ host: HOST, port: last.port })
      expect(kept.port?.channel.id).not.toBe(last.channel.id)
    })

    it('or on a new one when the server has other keys than the last time', async () => {
      const last = await usedPort()
      const made = connectionsTo(last.port)
      const strange = { ...last, channel: { ...last.channel, key: Buffer.alloc(32) } }
      using early = new EarlyLine(site.url, portsWith(strange).ports)
      await expect.poll(() => made.length).toBe(1)
      await sendsWith(early)
      expect(made).toHaveLength(2)
    })

    it('or on one of their own where the port is not known yet or another one now, which is kept', async () => {
      const last = await usedPort()
      for (const before of [undefined, { ...last, port: await freePort() }]) {
        const { kept, ports } = portsWith(before)
        using early = new EarlyLine(site.url, ports)
        await sendsWith(early)
        expect(kept.port?.port).toBe(last.port)
      }
      expect(await site.client('ls', '/').exitCode()).toBe(0)
      const small = join(folder, 'small-too.txt')
      writeFileSync(small, 'small')
      expect(await site.client('up', small, '/').exitCode()).toBe(0)
      const file = join(site.environment['GODWIT_CLIENT_HOME'] ?? '', 'ports.json')
      expect(existsSync(file)).toBe(true)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ [site.url]: { host: HOST, port: last.port } })
      for (const text of ['no JSON', JSON.stringify({ [site.url]: { host: HOST, port: last.port } })]) {
        writeFileSync(file, text)
        expect(await site.client('down', '/small-too.txt', join(folder, 'back')).exitCode()).toBe(0)
        rmSync(join(folder, 'back/small-too.txt'))
      }
      expect(readFileSync(file, 'utf8')).toContain('"channel"')
    })

    it('or on a new one when that has ended meanwhile', async () => {
      const last = await usedPort()
      const made = connectionsTo(last.port)
      using early = new EarlyLine(site.url, portsWith(last).ports)
      await expect.poll(() => made.length).toBe(1)
      const [first] = made
      first?.destroy()
      await sendsWith(early)
      expect(made).toHaveLength(2)
    })

    it('and it ends when it is not needed', async () => {
      const last = await usedPort()
      const made = connectionsTo(last.port)
      const early = new EarlyLine(site.url, portsWith(last).ports)
      await expect.poll(() => made.length).toBe(1)
      const ended = once(made[0] ?? expect.fail('no connection'), 'close')
      early[Symbol.dispose]()
      await ended
    })
  })
})
