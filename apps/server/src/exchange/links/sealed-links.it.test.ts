import fs from 'node:fs'
import path from 'node:path'
import { sealedContentAt, sealedHeadBytes, sealedFileName, type SealedFilePage } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, visit, type Sharing } from './testing/guests.ts'

const SEALED_BY = 'a'.repeat(22)

/** What a browser would bring: here only the head has to be one. */
function sealedFile(mark: number): { readonly name: string; readonly start: Buffer; readonly bytes: Buffer } {
  const id = new Uint8Array(16).fill(mark)
  const head = sealedHeadBytes({ sender: new Uint8Array(32).fill(7), id, metadataBytes: 256 })
  const start = Buffer.concat([head, Buffer.alloc(sealedContentAt(256) - head.length, mark)])
  return { name: sealedFileName(id), start, bytes: Buffer.concat([start, Buffer.alloc(3000, mark)]) }
}

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`an encrypted link on ${engine}`, () => {
    let site: Site
    let mei: Sharing

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    /** A link with a folder of its own. */
    async function sealedLink(folder: string, more: object = {}): Promise<string> {
      fs.mkdirSync(path.join(mei.home, folder), { recursive: true })
      return mei.link({ shareServerPath: '/', shareFiles: [folder], sealedBy: SEALED_BY, ...more })
    }
    const pageOf = (answer: { readonly data: unknown }) => answer.data as SealedFilePage

    it('gives its guest and its owner the encrypted beginnings, page by page, and of other files nothing', async () => {
      const id = await sealedLink('box')
      const files = Array.from({ length: 60 }, (_, at) => sealedFile(at + 1))
      for (const { name, bytes } of files) mei.put(`box/${name}`, bytes)
      mei.put('box/zzz.txt', 'put here by hand')
      const guest = await visit(site, id)
      for (const ask of [
        (body: object) => guest.ask('sealed', body),
        (body: object) => mei.own('sealed', { url: id, ...body }),
      ]) {
        const first = pageOf(await ask({}))
        const second = pageOf(await ask({ cursor: first.next ?? '' }))
        expect([first.items.length, first.total, second.next]).toEqual([50, 61, null])
        const all = [...first.items, ...second.items]
        expect(all.length).toBe(61)
        for (const { name, start, bytes } of files)
          expect(all).toContainEqual({ name, size: bytes.length, start: start.toString('base64') })
        expect(all.at(-1)).toEqual({ name: 'zzz.txt', size: 16, start: '' })
      }
      const answer = await site.ask({ path: `/api/share/link/info?url=${id}` })
      expect(answer.data).toMatchObject({ sealedBy: SEALED_BY })
    })

    it('gives each file by range and counts it once, but shows, draws and packs none', async () => {
      const id = await sealedLink('one')
      const { name, bytes } = sealedFile(9)
      mei.put(`one/${name}`, bytes)
      const guest = await visit(site, id)
      const address = await guest.ticket([`/${name}`])
      const whole = await fetch(`${site.url}${address}`, { headers: { range: 'bytes=0-' } })
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
      // A break later the page has a ticket of its own again.
      const later = await guest.ticket([`/${name}`])
      const rest = await fetch(`${site.url}${later}`, { headers: { range: 'bytes=100-' } })
      expect([rest.status, rest.headers.get('content-range')]).toEqual([
        206,
        `bytes 100-${bytes.length - 1}/${bytes.length}`,
      ])
      expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(100))).toBe(true)
      expect((await mei.look(`detail?url=${id}`)).data).toMatchObject({ downloadCount: 1, sealedBy: SEALED_BY })
      for (const paths of [[], ['/'], [`/${name}`, `/${name}`]])
        expect((await guest.ask('ticket', { paths })).code).toBe(5632)
      expect((await guest.ask('preview', { path: `/${name}` })).code).toBe(5632)
      const picture = await site.ask({ path: `/api/share/visit/thumbnail?path=/${name}&edge=256`, token: guest.token })
      expect(picture.code).toBe(5632)
    })

    it('answers curl in one line that it opens in a browser alone', async () => {
      const share = await sealedLink('told')
      const invite = await sealedLink('told-too', { shareUrlType: 0 })
      const line =
        'This link is end-to-end encrypted and works in a browser only: the server can neither show nor pack its files, and never has the key.\n'
      const got = await fetch(`${site.url}/share/${share}`, { headers: { accept: '*/*' } })
      const put = await fetch(`${site.url}/share/${invite}/a.txt`, { method: 'PUT', body: 'plain' })
      expect([got.status, await got.text(), put.status, await put.text()]).toEqual([403, line, 403, line])
      expect(fs.readdirSync(path.join(mei.home, 'told-too'))).toEqual([])
    })

    it('takes from guests only what a browser encrypted, by its name', async () => {
      const id = await sealedLink('taken', { shareUrlType: 0 })
      const { token } = await visit(site, id)
      const create = (relativePath: string) =>
        site.ask({
          method: 'POST',
          path: '/api/uploads',
          token,
          json: { folder: '/', filename: relativePath, relativePath, size: 3000, conflict: 'fail' },
        })
      expect((await create('offer.txt')).code).toBe(5632)
      expect((await create(sealedFile(3).name)).code).toBe(200)
      const guest = await visit(site, id)
      expect((await guest.ask('sealed', {})).code).toBe(5605)
    })

    it('has no terms that a server which cannot read its files could not keep, now or later', async () => {
      const terms = {
        shareEmail: ['ana@example.org'],
        needEmail: true,
        audience: { kind: 'everyone', userIds: [], groupIds: [] },
        shareAllowDownload: 0,
      }
      mei.put('ordinary/a.txt', 'a')
      const id = await sealedLink('terms')
      for (const [field, value] of Object.entries(terms)) {
        const wanted = { [field]: value }
        const made = await mei.own('create', {
          ...{ shareUrlType: 1, shareServerPath: '/', shareFiles: ['terms'], sealedBy: SEALED_BY },
          ...wanted,
        })
        expect([made.code, made.data], field).toMatchObject([5633, { field }])
        expect((await mei.own('edit', { shareUrl: id, ...wanted })).code, field).toBe(5633)
      }
      const file = { shareUrlType: 1, shareServerPath: '/ordinary', shareFiles: ['a.txt'], sealedBy: SEALED_BY }
      expect((await mei.own('create', file)).data).toMatchObject({ field: 'shareFiles' })
      const plain = await mei.link({ shareServerPath: '/ordinary' })
      expect((await (await visit(site, plain)).ask('sealed', {})).code).toBe(5113)
      expect((await mei.own('sealed', { url: plain })).code).toBe(5113)
    })
  })
}
