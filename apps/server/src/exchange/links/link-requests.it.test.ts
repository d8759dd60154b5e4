import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, visit, type Sharing } from './testing/guests.ts'

const MB = 1024 * 1024

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`the checklist of an invite link on ${engine}`, () => {
    let site: Site
    let mei: Sharing

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
      fs.mkdirSync(path.join(mei.home, 'inbox'), { recursive: true })
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const release = Buffer.from('the release')
    const items = [
      { id: 'plans', name: 'Floor plans', types: ['dwg'], count: 2, maxBytes: 2 * MB },
      {
        id: 'release',
        name: 'Release',
        pattern: 'release.bin',
        sha256: createHash('sha256').update(release).digest('hex'),
      },
      { id: 'notes', name: 'Notes', types: ['txt'], required: false },
    ]
    const invite = (request: object | null, more: object = {}) =>
      mei.link({ shareUrlType: 0, shareServerPath: '/', shareFiles: ['inbox'], request, ...more })
    const stateOf = async (token: string) =>
      (await site.ask({ path: '/api/share/visit/request', token })).data['state'] as unknown as {
        readonly isComplete: boolean
        readonly items: ReadonlyArray<{ readonly id: string; readonly arrived: number }>
      }
    const arrivedOf = async (token: string) => (await stateOf(token)).items.map(({ arrived }) => arrived)
    const kept = () => fs.readdirSync(path.join(mei.home, 'inbox')).toSorted()

    it('refuses what is not asked for before its first byte, and shows guest and owner what is missing', async () => {
      const url = await invite({ items, insist: true })
      const guest = await visit(site, url)
      expect(await stateOf(guest.token)).toMatchObject({ isComplete: false, insist: true, others: false })
      const begin = (filename: string, size: number) =>
        site.ask({ method: 'POST', path: '/api/uploads', token: guest.token, json: { folder: '/', filename, size } })
      expect((await begin('holiday.jpg', 1)).code).toBe(5627)
      expect((await begin('ground.dwg', 3 * MB)).code).toBe(5629)
      for (const name of ['ground.dwg', 'first.dwg']) await site.upload(guest.token, name, Buffer.from(name))
      await expect.poll(() => arrivedOf(guest.token)).toEqual([2, 0, 0])
      // Another guest brought nothing yet, and sees nothing of this one.
      expect(await arrivedOf((await visit(site, url)).token)).toEqual([0, 0, 0])
      const wrong = await site.upload(guest.token, 'release.bin', Buffer.from('another one'))
      expect(wrong.code).toBe(5630)
      expect(kept()).toEqual(['first.dwg', 'ground.dwg'])
      expect((await site.upload(guest.token, 'release.bin', release)).code).toBe(200)
      await expect.poll(() => stateOf(guest.token)).toMatchObject({ isComplete: true })
      const shown = await mei.look(`request?url=${url}`)
      expect(shown.data['state']).toMatchObject({ items: [{ arrived: 2 }, { arrived: 1 }, { arrived: 0 }] })
      expect(shown.data['arrivals']).toMatchObject([
        { item: 'release', path: '/release.bin', bytes: release.length },
        { item: 'plans', path: '/first.dwg' },
        { item: 'plans', path: '/ground.dwg' },
      ])
      expect((await mei.look(`detail?url=${url}`)).data).toMatchObject({
        request: { items: [{ id: 'plans' }, {}, {}] },
      })
    })

    it('holds for packs of small files, by their content too, and for files that got a number', async () => {
      const url = await invite({ items, others: true })
      const guest = await visit(site, url)
      const pack = async (name: string, content: Buffer) => {
        const head = Buffer.from(JSON.stringify({ relativePath: name, size: content.length }))
        const length = Buffer.alloc(4)
        length.writeUInt32BE(head.length)
        const body = Buffer.concat([length, head, content])
        const answer = await site.ask({
          method: 'POST',
          path: '/api/uploads/pack?folder=%2F',
          token: guest.token,
          body,
        })
        return (
          answer.data as unknown as { readonly results: readonly [{ readonly code: number; readonly path: string }] }
        ).results[0]
      }
      expect(await pack('Release.bin', Buffer.from('another'))).toMatchObject({ code: 5630 })
      expect(await pack('release.bin', release)).toMatchObject({ code: 200, path: '/release (1).bin' })
      expect(await pack('other.jpg', Buffer.from('x'))).toMatchObject({ code: 200 })
      await expect.poll(() => arrivedOf(guest.token)).toEqual([0, 1, 0])
      await expect
        .poll(async () => (await mei.look(`request?url=${url}`)).data['arrivals'])
        .toMatchObject([{ item: '', path: '/other.jpg' }, { item: 'release' }])
    })

    it('holds for curl, also for a file whose size nobody knows', async () => {
      const url = await invite({ items: [{ id: 'a', name: 'Log', types: ['log'], maxBytes: 3 * MB }] })
      const put = async (name: string, body: Buffer | ReadableStream) =>
        fetch(`${site.url}/share/${url}/${name}`, { method: 'PUT', body, duplex: 'half' })
      const refused = await put('a.jpg', Buffer.from('x'))
      expect([refused.status, await refused.text()]).toEqual([
        400,
        'A file of another type is asked for under this name.\n',
      ])
      const parts = Array.from({ length: 8 }, () => Buffer.alloc(MB))
      const large = await put('a.log', ReadableStream.from(parts))
      expect([large.status, await large.text()]).toEqual([400, 'The file is larger than what is asked for.\n'])
      expect((await put('a.log', ReadableStream.from(parts.slice(0, 2)))).status).toBe(201)
      expect(kept()).toContain('a.log')
    })

    it('follows the owner, who may ask for something else, and names nothing in a share link', async () => {
      const url = await invite({ items })
      const guest = await visit(site, url)
      await mei.own('edit', { shareUrl: url, request: { items: [{ id: 'b', name: 'Pictures', types: ['jpg'] }] } })
      expect((await site.upload(guest.token, 'plan.dwg', Buffer.from('x'))).code).toBe(5627)
      expect((await site.upload(guest.token, 'a.jpg', Buffer.from('x'))).code).toBe(200)
      await mei.own('edit', { shareUrl: url, request: null })
      expect(await stateOf(guest.token)).toBeNull()
      expect((await site.upload(guest.token, 'plan.dwg', Buffer.from('x'))).code).toBe(200)
      const shared = await mei.own('create', { shareUrlType: 1, shareServerPath: '/inbox', request: { items } })
      expect(shared.code).toBe(400)
      const twice = { items: [...items, ...items] }
      expect((await mei.own('edit', { shareUrl: url, request: twice })).code).toBe(400)
    })
  })
}
