import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodePassword, siteInfo, serviceInfo } from '@godwit/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from './security/testing/sites.ts'
import { icoOf, pngOf } from './testing/images.ts'

describe('the site as an operator sets it', () => {
  let site: Site
  beforeAll(async () => {
    // An earlier version kept images as files.
    site = await openSite({
      prepare: async ({ GODWIT_DATA: data = '' }) => {
        fs.mkdirSync(path.join(data, 'branding'))
        fs.writeFileSync(path.join(data, 'branding/watermark.png'), pngOf(30, 20))
        await Promise.resolve()
      },
    })
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const info = async () => siteInfo.parse((await site.ask({ path: '/api/website/info' })).data)
  const seen = async () => sleep(1_100)
  const sizeOf = (image: Buffer) => sharp(image).metadata()
  const put = (name: string, content: Buffer): string => {
    const file = path.join(site.data, name)
    fs.writeFileSync(file, content)
    return file
  }

  it('returns all fields of site info and service info, with every group of the menu', async () => {
    const groups = [
      'files',
      'p2p',
      'delivery',
      'audit',
      'shareLink',
      'inviteLink',
      'receivedLink',
      'quarantineArea',
      'space',
    ]
    expect(Object.keys((await info()).clientMenuDict).toSorted()).toEqual(groups.toSorted())
    expect((await info()).clientMenuDict['space']).toEqual({ switch: 0, spaceId: 1 })
    const service = serviceInfo.parse((await site.ask({ path: '/api/service/info' })).data)
    expect(service).toMatchObject({ TCPFileSizeLimit: 0, client_online: 0, enableFTPS: false, ssl_port: 2481 })
  })

  it('follows the command within a second, without a restart', async () => {
    for (const words of [
      'primaryColor #0B6E4F',
      'menu.shareLink.switch on',
      'englishOnly 1',
      'clientMinVersion 2.3.4',
    ]) {
      expect(await site.cli(`site set ${words}`)).toBe(0)
    }
    expect(await site.cli('site set TCPFileSizeLimit 2048')).toBe(0)
    await seen()
    expect(await info()).toMatchObject({ primaryColor: '#0B6E4F', englishOnly: 1, clientMinVersion: '2.3.4' })
    expect((await info()).clientMenuDict['shareLink']).toEqual({ switch: 1 })
    expect((await site.ask({ path: '/api/service/info' })).data['TCPFileSizeLimit']).toBe(2048)
    expect(await site.cli('site reset primaryColor')).toBe(0)
    await seen()
    expect((await info()).primaryColor).toBe('#FD5C1F')
  })

  it('switches what people may do themselves, at the server too (5411, 5412)', async () => {
    await site.addUser('mei')
    await site.cli('site set userPwdSwitch off')
    await seen()
    const { token } = await site.signIn('mei')
    const change = { oldPassword: encodePassword(PASSWORD), newPassword: encodePassword('Moonlight-77') }
    const put = () => site.ask({ method: 'PUT', path: '/api/user/password/update', token, json: change })
    expect((await put()).code).toBe(5411)
    const reset = { email: 'mei@example.org', language: 1 }
    const forgot = await site.ask({ method: 'POST', path: '/api/user/reset/password', json: reset })
    expect(forgot.code).toBe(5412)
    await site.cli('site reset userPwdSwitch')
    await seen()
    expect((await put()).code).toBe(200)
  })

  it.each([
    ['site set primaryColour #000000', 2, 'Did you mean primaryColor?'],
    ['site set primaryColor blue', 5, 'must be a colour like #FD5C1F'],
    ['site set logo /no/such/file', 4, 'there is nothing at this place'],
    ['site set tcpEnable on', 5, '4032'],
    ['site set autoUpdateSwitch on', 5, '6209'],
    ['site set position', 2, 'VALUE is missing'],
    ['site reset nothing', 2, 'there is no site setting'],
  ])('%s ends with %i and says why', async (words, code, said) => {
    const before = site.printed().length
    expect(await site.cli(words)).toBe(code)
    expect(site.printed().slice(before)).toContain(said)
  })

  it('shows its own images, with hash, cache and nothing that could run (T01, T36)', async () => {
    expect((await site.ask({ path: '/customize/logo' })).status).toBe(404)
    const png = pngOf(160, 70)
    expect(await site.cli(`site set logo ${put('a.png', png)}`)).toBe(0)
    expect(await site.cli(`site set icon ${put('a.ico', icoOf([32, 64]))}`)).toBe(0)
    await seen()
    const { logo, is_logo_change, is_icon_change, is_bg_change, ico } = await info()
    expect({ is_logo_change, is_icon_change, is_bg_change }).toEqual({
      is_logo_change: 1,
      is_icon_change: 1,
      is_bg_change: 0,
    })
    const answer = await site.ask({ path: logo })
    expect(await sizeOf(answer.body)).toMatchObject({ format: 'png', width: 160, height: 70 })
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const icon = await site.ask({ path: ico })
    expect(icon.headers['content-type']).toBe('image/png')
    expect(await sizeOf(icon.body)).toMatchObject({ format: 'png', width: 64, height: 64 })
    const again = await site.ask({ path: '/customize/logo', headers: { 'if-none-match': answer.headers.etag } })
    expect([again.status, again.body.length, again.headers['cache-control']]).toEqual([304, 0, 'public, no-cache'])
  })

  it('replaces an image by one of another kind, and gives the built-in one back', async () => {
    await site.cli(`site set logo ${put('b.jpeg', await sharp(pngOf(10, 10)).jpeg().toBuffer())}`)
    await seen()
    expect((await site.ask({ path: (await info()).logo })).headers['content-type']).toBe('image/jpeg')
    await site.cli('site reset logo')
    await seen()
    expect((await info()).is_logo_change).toBe(0)
    expect((await site.ask({ path: '/customize/logo' })).status).toBe(404)
  })

  it('refuses what is no image, too large or SVG, and keeps the old one', async () => {
    await site.cli(`site set logo ${put('good.png', pngOf(10, 10))}`)
    const svg = put('x.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    for (const file of [svg, put('big.png', pngOf(161, 70)), put('empty', Buffer.alloc(0))]) {
      expect(await site.cli(`site set logo ${file}`)).toBe(5)
    }
    await seen()
    expect(await sizeOf((await site.ask({ path: '/customize/logo' })).body)).toMatchObject({ width: 10, height: 10 })
  })

  it('takes images over that an earlier version kept as files', async () => {
    const { watermark } = await info()
    expect(await sizeOf((await site.ask({ path: watermark })).body)).toMatchObject({ width: 30, height: 20 })
    expect(fs.readdirSync(path.join(site.data, 'branding'))).toEqual([])
  })

  it('opens no other file under an image’s address, however it is spelled (T01)', async () => {
    const spelled = [
      '..',
      '%2e%2e',
      'logo.png',
      'logo%00',
      '..%2fgodwit.db',
      '..%5cgodwit.db',
      'LOGO',
      'logo/',
      '%2e%2e%2fkeys%2fsecrets.key',
    ]
    for (const name of spelled) {
      const answer = await site.ask({ path: `/customize/${name}` })
      expect([answer.status >= 400 || (answer.headers['content-type'] ?? '').startsWith('text/html'), name]).toEqual([
        true,
        name,
      ])
    }
  })
})
