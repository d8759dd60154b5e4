import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import type { TransferTicket } from '@godwit/contract'
import { freePort } from '@godwit/testkit'
import { Relay } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connectApi, type Api } from '../server-link/api.ts'
import { ClientSite } from '../testing/client-site.ts'
import { connectToPort } from './connect.ts'

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

  const newTicket = (): Promise<TransferTicket> =>
    api.uploadTicket({ spaceId: 1, groupId: 0, folder: '/', name: 'a file' })
  /** How a connection with the ticket protects its packets. */
  const suiteWith = async (ticket: TransferTicket): Promise<string | undefined> => {
    const link = { apiHost: '127.0.0.1', udp: 'auto', rate: Infinity, signal: AbortSignal.timeout(20_000) } as const
    const connection = await connectToPort(ticket, link)
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
})
