import { webcrypto } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'
import { openSharing, verify, visit, visitWith, type Sharing } from './testing/guests.ts'

/** What runs may live on for so long. */
const RUNNING_MS = 5_000 + BUSY_MS

describe('guests of links', () => {
  let site: Site
  let mei: Sharing

  beforeAll(async () => {
    site = await openSite()
    mei = await openSharing(site, 'mei')
    mei.put('plans/a.txt', 'alpha')
    mei.put('big.bin', '')
    fs.truncateSync(path.join(mei.home, 'big.bin'), 2 ** 32)
    fs.mkdirSync(path.join(mei.home, 'inbox'))
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  /** What a browser does: a key of its own, and an answer to the challenge of the link. */
  async function openDevice() {
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    const { publicKey, privateKey } = await webcrypto.subtle.generateKey(curve, false, ['sign', 'verify'])
    const key = Buffer.from(await webcrypto.subtle.exportKey('spki', publicKey)).toString('base64url')
    const answer = async (url: string, challenge: string) => {
      const text = Buffer.from(`godwit-link-device:v1\n${url}\n${challenge}`)
      const signed = await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, text)
      return { key, challenge, signature: Buffer.from(signed).toString('base64url') }
    }
    return {
      answer,
      async open(url: string) {
        const asked = await verify(site, { url })
        return verify(site, { url, device: await answer(url, String(asked.data['challenge'])) })
      },
    }
  }

  it('are one device where the owner says so, until the owner lets another one in', async () => {
    const url = await mei.link({ shareServerPath: '/plans', bindSwitch: true })
    const [phone, laptop] = [await openDevice(), await openDevice()]
    const asked = await verify(site, { url })
    expect(asked.data).toMatchObject({ result: false, code: 5604, token: '', account: '' })
    const challenge = String(asked.data['challenge'])
    const first = await verify(site, { url, device: await phone.answer(url, challenge) })
    expect(first.data).toMatchObject({ result: true, account: 'mei' })
    const { bindDevice } = (await mei.look(`detail?url=${url}`)).data
    expect(bindDevice).toMatch(/^[0-9a-f]{64}$/)
    expect((await laptop.open(url)).code).toBe(5604)
    // An answer that was overheard is good for nobody who lacks the key.
    const overheard = { ...(await phone.answer(url, challenge)), ...(await laptop.answer(url, challenge)) }
    expect((await verify(site, { url, device: overheard })).code).toBe(5604)
    expect((await site.ask({ path: `/api/share/link/${url}/content` })).code).toBe(5604)
    expect((await phone.open(url)).data).toMatchObject({ result: true })
    await mei.own('unbind', { urls: [url] })
    const list = { method: 'POST', path: '/api/share/visit/list', json: { folder: '/' } }
    expect((await site.ask({ ...list, token: String(first.data['token']) })).code).toBe(1009)
    expect((await laptop.open(url)).data).toMatchObject({ result: true })
    expect((await phone.open(url)).code).toBe(5604)
  })

  it('are out when their owner binds a link that was open, until one of them is its device', async () => {
    const url = await mei.link({ shareServerPath: '/plans', bindSwitch: false })
    const early = await visit(site, url)
    const ticket = await early.ticket(['/a.txt'])
    expect((await mei.own('edit', { shareUrl: url, bindSwitch: true })).code).toBe(200)
    expect((await early.ask('list', { folder: '/' })).code).toBe(1009)
    expect((await early.ask('preview', { path: '/a.txt' })).code).toBe(1009)
    expect((await site.ask({ path: ticket })).text).not.toBe('alpha')
    const [phone, laptop] = [await openDevice(), await openDevice()]
    const bound = visitWith(site, String((await phone.open(url)).data['token']))
    expect(await bound.list()).toEqual(['/a.txt'])
    expect((await laptop.open(url)).code).toBe(5604)
    // What is no stricter than before leaves the device in.
    await mei.own('edit', { shareUrl: url, bindSwitch: true, description: 'for the meeting' })
    expect(await bound.list()).toEqual(['/a.txt'])
  })

  it('are out when a link for the site becomes one for the first device, with whoever signed in', async () => {
    const url = await mei.link({ shareServerPath: '/plans', audience: { kind: 'everyone' } })
    const received = { method: 'POST', path: '/api/share/received/open', token: mei.token, json: { url } }
    const opened = await site.ask(received)
    const early = visitWith(site, String(opened.data['token']))
    expect(await early.list()).toEqual(['/a.txt'])
    await mei.own('edit', { shareUrl: url, audience: { kind: 'anyone' }, bindSwitch: true })
    expect((await early.ask('list', { folder: '/' })).code).toBe(1009)
  })

  it('are one device, whatever their owner asks for, where the site binds every one', async () => {
    const loose = await mei.link({ shareServerPath: '/plans', bindSwitch: false })
    expect(await site.cli('settings set links.bindEvery on')).toBe(0)
    const isBound = async (url: string) => (await mei.look(`detail?url=${url}`)).data['bindSwitch']
    await expect
      .poll(async () => isBound(await mei.link({ shareServerPath: '/plans', bindSwitch: false })), { timeout: 10_000 })
      .toBe(true)
    expect(await isBound(loose)).toBe(false)
    expect((await site.ask({ path: '/api/website/info' })).data['linkBinding']).toBe(2)
    await site.cli('settings reset links.bindEvery')
    await expect
      .poll(async () => (await site.ask({ path: '/api/website/info' })).data['linkBinding'], { timeout: 10_000 })
      .toBe(0)
  })

  it('are bound once, when two devices come first together', async () => {
    const url = await mei.link({ shareServerPath: '/plans', bindSwitch: true })
    const devices = await Promise.all([openDevice(), openDevice(), openDevice()])
    const codes = (await Promise.all(devices.map((device) => device.open(url)))).map(({ code }) => String(code))
    expect(codes.toSorted()).toEqual(['200', '5604', '5604'])
  })

  it('bring many small files in one request, as new ones, and see them', async () => {
    mei.put('inbox/one.txt', 'of the owner')
    const url = await mei.link({ shareUrlType: 0, shareServerPath: '/inbox' })
    const guest = await visit(site, url)
    const frame = (relativePath: string, content: string): Buffer => {
      const header = Buffer.from(JSON.stringify({ relativePath, size: Buffer.byteLength(content) }))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(header.length)
      return Buffer.concat([length, header, Buffer.from(content)])
    }
    const body = Buffer.concat([
      frame('one.txt', 'of the guest'),
      frame('deep/two.txt', 'two'),
      frame('../three.txt', '3'),
    ])
    const headers = { 'content-type': 'application/octet-stream' }
    const sent = await site.ask({
      method: 'POST',
      path: '/api/uploads/pack?folder=/',
      token: guest.token,
      body,
      headers,
    })
    expect(sent.code).toBe(200)
    expect(JSON.stringify(sent.data)).not.toContain('inbox')
    await expect.poll(() => guest.list(), { timeout: 20_000 }).toEqual(['/deep', '/one (1).txt'])
    expect(await guest.list('/deep')).toEqual(['/deep/two.txt'])
    const read = (file: string) => fs.readFileSync(path.join(mei.home, file), 'utf8')
    expect([read('inbox/one.txt'), read('inbox/one (1).txt')]).toEqual(['of the owner', 'of the guest'])
    expect(fs.existsSync(path.join(mei.home, 'three.txt'))).toBe(false)
    expect((await mei.look(`detail?url=${url}`)).data).toMatchObject({ uploadCount: 2 })
  })

  /** Reads 64 KiB every 20 ms. @returns when the first byte is there; then, when the connection was closed */
  function slowDownload(address: string): Promise<{ readonly closed: Promise<number> }> {
    return new Promise((resolve, reject) => {
      const request = http.get(site.url + address, (response) => {
        const closed = new Promise<number>((ended) => {
          response.once('close', () => ended(performance.now()))
          response.once('error', () => undefined)
        })
        response.on('data', () => {
          response.pause()
          setTimeout(() => response.resume(), 20)
        })
        response.once('data', () => resolve({ closed }))
      })
      request.once('error', reject)
    })
  }

  /** Sends a kilobyte every 100 ms, as long as it is let. @returns when it was ended */
  function endlessUpload(uploadId: string, token: string): Promise<number> {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'content-length': 16 * 2 ** 20 }
      const request = http.request(`${site.url}/api/uploads/${uploadId}/parts/0`, { method: 'PUT', headers })
      const timer = setInterval(() => request.write(Buffer.alloc(1024)), 100)
      const done = (): void => {
        clearInterval(timer)
        request.destroy()
        resolve(performance.now())
      }
      request.once('response', done)
      request.once('error', done)
      request.write(Buffer.alloc(1024))
    })
  }

  const ENDS: Readonly<Record<string, (urls: readonly string[]) => Promise<unknown>>> = {
    'the owner disables the links': (urls) => mei.own('cancel', { shareUrlList: urls }),
    'the owner deletes the links': (urls) => mei.own('delete', { shareUrlList: urls }),
    'the owner is locked': () => site.cli('user lock --account mei'),
  }

  it.each(Object.keys(ENDS))('lose within 5 s what runs when %s (T18, T30)', async (way) => {
    const share = await mei.link({ shareServerPath: '/', shareFiles: ['big.bin'] })
    const invite = await mei.link({ shareUrlType: 0, shareServerPath: '/inbox' })
    const [taker, bringer] = [await visit(site, share), await visit(site, invite)]
    const { closed } = await slowDownload(await taker.ticket(['/big.bin']))
    const json = { folder: '/', filename: 'slow.bin', size: 64 * 2 ** 20 }
    const begun = await site.ask({ method: 'POST', path: '/api/uploads', token: bringer.token, json })
    const { uploadId, grant } = begun.data as unknown as { readonly uploadId: string; readonly grant: string }
    const ended = endlessUpload(uploadId, grant)
    await ENDS[way]?.([share, invite])
    const since = performance.now()
    expect((await closed) - since).toBeLessThan(RUNNING_MS)
    expect((await ended) - since).toBeLessThan(RUNNING_MS)
    expect([1041, 4025]).toContain((await verify(site, { url: share })).code)
  })
})
