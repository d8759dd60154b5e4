import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { Luggage, receiver, relayedBytes, sender } from './testing/meetings.ts'
import { type Mapping, NatNetworks } from './testing/nat-networks.ts'

const MIB = 1024 * 1024
const FILE_BYTES = 16 * MIB

describe('two programs behind a router each', () => {
  let networks: NatNetworks
  let site: Site
  let token: string

  beforeAll(async () => {
    networks = await NatNetworks.open()
    site = await openSite({ env: { GODWIT_HOST: networks.serverHost } })
    await site.addUser('mei')
    token = (await site.signIn('mei')).token
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await networks[Symbol.asyncDispose]()
  })

  const behind = async (mapping: Mapping, options: readonly string[] = []) => {
    await networks.map(mapping)
    const luggage = new Luggage(FILE_BYTES)
    const before = relayedBytes(site).length
    const { gwt: recv, code } = await receiver(site.url, luggage.into, { prefix: networks.computer('A'), token })
    const send = sender(site.url, luggage.file, { prefix: networks.computer('B'), code, options })
    const exitCode = await send.exitCode()
    await recv.stop('SIGTERM')
    // The server learns of the end, and its line comes, a moment later.
    await expect.poll(() => relayedBytes(site).length).toBeGreaterThan(before)
    const isWhole = exitCode === 0 && luggage.isWhole
    luggage[Symbol.dispose]()
    return { exitCode, isWhole, send, relayed: relayedBytes(site).at(-1) ?? -1 }
  }

  it('that keeps ports: data goes directly by UDP, and the server carries next to nothing', async () => {
    const { isWhole, send, relayed } = await behind('same-port')
    expect(isWhole).toBe(true)
    expect(send.events.findLast(({ event }) => event === 'path')).toMatchObject({ mode: 'udp', way: 'direct' })
    expect(relayed).toBeGreaterThan(0)
    expect(relayed).toBeLessThan(MIB)
  })

  it('that gives each destination another port: data goes by the relay', async () => {
    const { isWhole, send, relayed } = await behind('random-port')
    expect(isWhole).toBe(true)
    expect(send.events.findLast(({ event }) => event === 'path')).toMatchObject({ mode: 'tcp', way: 'relay' })
    expect(relayed).toBeGreaterThan(FILE_BYTES)
  })

  it('fail with a reason where the only way is the relay and --no-relay forbids it', async () => {
    const { exitCode, send, relayed } = await behind('random-port', ['--no-relay'])
    expect(exitCode).toBe(1)
    expect(send.events.at(-1)).toMatchObject({ event: 'error', code: 'NO_DIRECT_WAY' })
    expect(relayed).toBeLessThan(MIB)
  })

  it('need the server to meet, and not afterwards: it is killed, and the direct transfer ends well', async () => {
    await networks.map('same-port')
    using luggage = new Luggage(FILE_BYTES)
    const { gwt: recv, code } = await receiver(site.url, luggage.into, { prefix: networks.computer('A'), token })
    const options = ['--rate', '60M']
    const send = sender(site.url, luggage.file, { prefix: networks.computer('B'), code, options })
    await send.until(({ event, way }) => event === 'path' && way === 'direct')
    await site.godwit.end('SIGKILL')
    expect(await send.exitCode()).toBe(0)
    expect(send.events.some(({ event }) => event === 'retry')).toBe(false)
    expect(luggage.isWhole).toBe(true)
    await recv.stop('SIGTERM')
  })
})
