import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Login } from '../../security/testing/wire.ts'
import { Luggage, receiver, relayedBytes, sender } from './testing/meetings.ts'

/** A change of the settings by the command is seen within this time. */
const SEEN_MS = 1_100
const MIB = 1024 * 1024

interface Said {
  readonly type: string
  readonly room: string
  readonly key: string
  readonly ticket: string
  readonly udp: { readonly host: string; readonly port: number }
  readonly code: number
  readonly message: string
}

/** One side of a meeting as raw frames. */
class Side {
  readonly socket: WebSocket
  readonly said: Said[] = []
  readonly bytes: Buffer[] = []
  readonly closed: Promise<number>

  private constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.bytes.push(data)
      else this.said.push(JSON.parse(data.toString()) as Said)
    })
  }

  static async say(url: string, message: object, locale = 'en-US'): Promise<Side> {
    const side = new Side(
      new WebSocket(`${url.replace('http', 'ws')}/ws/rendezvous`, { headers: { 'accept-language': locale } }),
    )
    await once(side.socket, 'open')
    side.socket.send(JSON.stringify(message))
    return side
  }

  async hear(type: string): Promise<Said> {
    for (;;) {
      const found = this.said.find((said) => said.type === type)
      if (found !== undefined) return found
      if (this.socket.readyState >= WebSocket.CLOSING) throw new Error(`closed without ${type}`)
      await once(this.socket, 'message')
    }
  }
}

describe('the rendezvous', () => {
  let site: Site
  let mei: Login

  beforeAll(async () => {
    site = await openSite()
    await site.addUser('mei')
    mei = await site.signIn('mei')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const open = (extra: object = {}) => Side.say(site.url, { type: 'open', token: mei.token, ...extra })
  const join = (room: string) => Side.say(site.url, { type: 'join', room })
  const set = async (setting: string) => {
    expect(await site.cli(`settings set ${setting}`)).toBe(0)
    await sleep(SEEN_MS)
  }

  it('gives a room to an account and to nobody else, and says why in the language of the caller', async () => {
    const stranger = await Side.say(site.url, { type: 'open' }, 'zh-CN')
    const { code, message } = await stranger.hear('refused')
    expect(code).toBe(6231)
    expect(message).toContain('令牌')
    const forged = await open({ token: 'x'.repeat(40) })
    expect((await forged.hear('refused')).code).toBe(1009)
    const receiver = await open()
    expect((await receiver.hear('room')).room).toMatch(/^\d{4}$/)
    receiver.socket.close()
  })

  it('passes frames both ways as they are, and ends both when one goes', async () => {
    const receiver = await open()
    const { room } = await receiver.hear('room')
    const sender = await join(room)
    await sender.hear('joined')
    await receiver.hear('joined')
    sender.socket.send(Buffer.from([1, 2, 3]))
    receiver.socket.send(Buffer.from([4, 5]))
    await expect.poll(() => Buffer.concat(receiver.bytes)).toEqual(Buffer.from([1, 2, 3]))
    await expect.poll(() => Buffer.concat(sender.bytes)).toEqual(Buffer.from([4, 5]))
    const second = await join(room)
    expect((await second.hear('refused')).code).toBe(6233)
    sender.socket.terminate()
    await receiver.closed
    await expect.poll(() => relayedBytes(site).at(-1)).toBe(5)
  })

  it('cuts who speaks before anybody is there, twice, or nonsense', async () => {
    const early = await open()
    await early.hear('room')
    early.socket.send(Buffer.from([1]))
    expect(await early.closed).toBe(4400)
    const twice = await open()
    await twice.hear('room')
    twice.socket.send(JSON.stringify({ type: 'join', room: '1234' }))
    expect(await twice.closed).toBe(4400)
    const nonsense = await Side.say(site.url, { type: 'open', room: '../../etc' })
    expect(await nonsense.closed).toBe(4400)
  })

  it('keeps little for a side that does not read, and holds the other one', async () => {
    const receiver = await open()
    const { room } = await receiver.hear('room')
    const sender = await join(room)
    await receiver.hear('joined')
    receiver.socket.pause()
    const frame = Buffer.alloc(64 * 1024)
    for (let sent = 0; sent < 32 * MIB; sent += frame.length) sender.socket.send(frame)
    // The kernel takes some MiB on both connections; the rest stays with its sender.
    let last = -1
    const stands = (): boolean => last === (last = sender.socket.bufferedAmount)
    await expect.poll(stands, { interval: 200, timeout: 20_000 }).toBe(true)
    expect(last).toBeGreaterThan(8 * MIB)
    receiver.socket.resume()
    await expect
      .poll(() => receiver.bytes.reduce((sum, { length }) => sum + length, 0), { timeout: 20_000 })
      .toBe(32 * MIB)
    sender.socket.close()
    await receiver.closed
  })

  it('says to the holder of a ticket where its datagram came from, with fewer bytes, and nothing to others', async () => {
    const receiver = await open()
    const { ticket, udp } = await receiver.hear('room')
    const socket = createSocket('udp4')
    const answers: Buffer[] = []
    socket.on('message', (datagram) => answers.push(datagram))
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const nonce = Buffer.from('nonce678')
    const question = (shown: string) =>
      Buffer.concat([Buffer.from([0, 3]), nonce, Buffer.from(shown, 'hex'), Buffer.alloc(64)]).subarray(0, 64)
    socket.send(question('00'.repeat(16)), udp.port, '127.0.0.1')
    socket.send(question(ticket).subarray(0, 40), udp.port, '127.0.0.1')
    socket.send(question(ticket), udp.port, '127.0.0.1')
    await expect.poll(() => answers.length).toBe(1)
    const [answer = Buffer.alloc(0)] = answers
    expect(answer.length).toBeLessThanOrEqual(64)
    const text = Buffer.from(answer.subarray(10).map((byte, index) => byte ^ (nonce[index % 8] ?? 0))).toString()
    expect(text).toBe(`127.0.0.1 ${socket.address().port}`)
    receiver.socket.close()
    await receiver.closed
    socket.close()
  })

  it('brings what is missing when sender and receiver were killed, one after the other, with the same command', async () => {
    using luggage = new Luggage(16 * MIB)
    const token = mei.token
    const slow = ['--rate', '60M']
    const first = await receiver(site.url, luggage.into, { token })
    const code = first.code
    const killed = sender(site.url, luggage.file, { code, options: slow })
    await killed.until(({ event, bytesDone }) => event === 'progress' && Number(bytesDone) > 3 * MIB)
    await killed.stop('SIGKILL')
    const again = sender(site.url, luggage.file, { code, options: slow })
    await again.until(({ event, bytesDone }) => event === 'progress' && Number(bytesDone) > 6 * MIB)
    await first.gwt.stop('SIGKILL')
    // The same room by the number in the code, since the account is the same.
    const second = await receiver(site.url, luggage.into, { token, code })
    expect(await again.exitCode()).toBe(0)
    expect(luggage.isWhole).toBe(true)
    expect(again.progress('bytesMoved')).toBeLessThan(13 * MIB)
    await second.gwt.stop('SIGTERM')
  })

  it('refuses a wrong secret without a byte of the file, and a code without a number', async () => {
    using luggage = new Luggage(MIB)
    const { gwt, code } = await receiver(site.url, luggage.into, { token: mei.token })
    const wrong = sender(site.url, luggage.file, { code: `${code.split('-')[0]}-aaaa-bbbb-cccc` })
    expect(await wrong.exitCode()).toBe(4)
    const bare = sender(site.url, luggage.file, { code: 'aaaa-bbbb-cccc' })
    expect(await bare.exitCode()).toBe(2)
    await gwt.stop('SIGTERM')
  })

  it('ends a meeting whose relay has carried its most, and says so to both', async () => {
    await set('rendezvous.relayGibibytes 0')
    const receiver = await open()
    const { room } = await receiver.hear('room')
    const sender = await join(room)
    await sender.hear('joined')
    for (let sent = 0; sent <= 16 * MIB; sent += 64 * 1024) sender.socket.send(Buffer.alloc(64 * 1024))
    expect((await sender.hear('refused')).code).toBe(6237)
    expect((await receiver.hear('refused')).code).toBe(6237)
    await receiver.closed
    await set('rendezvous.relayGibibytes 100')
  })

  it('lets one address try so many numbers a minute', async () => {
    const codes = new Set<number>()
    for (let tries = 0; tries < 40; tries++) codes.add((await (await join('123456789')).hear('refused')).code)
    expect([...codes]).toEqual([6232, 5004])
  })

  it('is closed when the site says so', async () => {
    await set('rendezvous.access 0')
    expect((await (await open()).hear('refused')).code).toBe(6230)
  })
})
