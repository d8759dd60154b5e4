import fs from 'node:fs'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, visit, type Sharing } from './testing/guests.ts'

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`invite links on ${engine}`, () => {
    let site: Site
    let mei: Sharing

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
      mei.put('inbox/offer.txt', 'of somebody else')
      mei.put('private.txt', 'not for guests')
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const invite = () => mei.link({ shareUrlType: 0, shareServerPath: '/', shareFiles: ['inbox'] })
    const read = (file: string) => fs.readFileSync(path.join(mei.home, 'inbox', file), 'utf8')
    const size = (content: string) => ({ folder: '/', filename: 'offer.txt', size: content.length })

    it('take files by the parts that accounts use, as new ones, into the quota of the owner', async () => {
      const url = await invite()
      const guest = await visit(site, url)
      const answer = await site.upload(guest.token, 'offer.txt', Buffer.from('of the guest'))
      expect(answer.data).toMatchObject({ state: 'completed', path: '/offer (1).txt', name: 'offer (1).txt' })
      expect([read('offer.txt'), read('offer (1).txt')]).toEqual(['of somebody else', 'of the guest'])
      await expect.poll(() => guest.list()).toEqual(['/offer (1).txt'])
      const usage = await site.withDatabase(({ db }) =>
        db
          .selectFrom('quotas')
          .innerJoin('users', 'users.id', 'quotas.user_id')
          .select('used_bytes')
          .where('account', '=', 'mei')
          .executeTakeFirst(),
      )
      expect(Number(usage?.used_bytes)).toBe(12)
      expect((await mei.look(`uses?url=${url}`)).data['items']).toMatchObject([
        { kind: 'upload', files: ['/offer (1).txt'], fileCount: 1, bytes: 12, address: '127.0.0.1' },
      ])
      expect((await mei.look(`detail?url=${url}`)).data).toMatchObject({ uploadCount: 1 })
    })

    it('ask what the owner wants to know before anything is brought, and show it with what was brought', async () => {
      const fields = [
        { kind: 'name', required: true },
        { kind: 'email' },
        { kind: 'choice', label: 'Lot', required: true, choices: ['North', 'South'] },
      ]
      const guestForm = { terms: 'Drawings only', fields }
      const url = await mei.link({ shareUrlType: 0, shareServerPath: '/', shareFiles: ['inbox'], guestForm })
      const guest = await visit(site, url)
      const look = async () => (await site.ask({ path: '/api/share/link/info', token: guest.token })).data['guestForm']
      expect(await look()).toMatchObject({ terms: 'Drawings only', fields: [{ kind: 'name', label: '' }, {}, {}] })
      expect((await site.upload(guest.token, 'a.txt', Buffer.from('a'))).code).toBe(5615)
      expect((await guest.ask('mkdir', { folder: '/', name: 'a' })).code).toBe(5615)
      const enter = async (accepted: boolean, values: readonly string[]) =>
        (await guest.ask('enter', { accepted, values })).code
      expect(await enter(false, ['Ana', '', 'South'])).toBe(5615)
      expect(await enter(true, ['', '', 'South'])).toBe(5615)
      expect(await enter(true, ['Ana', 'ana', 'South'])).toBe(4029)
      expect(await enter(true, ['Ana', '', 'West'])).toBe(400)
      expect((await site.upload(guest.token, 'a.txt', Buffer.from('a'))).code).toBe(5615)
      expect(await enter(true, ['Ana', '', 'South'])).toBe(200)
      expect(await enter(true, ['Ana B.', '', 'South'])).toBe(200)
      expect(await look()).toBeNull()
      expect((await site.upload(guest.token, 'a.txt', Buffer.from('a'))).code).toBe(200)
      const said = [
        { kind: 'name', label: '', value: 'Ana B.' },
        { kind: 'choice', label: 'Lot', value: 'South' },
      ]
      await expect
        .poll(async () => (await mei.look(`uses?url=${url}`)).data['items'])
        .toMatchObject([{ kind: 'upload', guest: said }])
      // Somebody else at the same link is asked for themselves.
      expect((await site.upload((await visit(site, url)).token, 'b.txt', Buffer.from('b'))).code).toBe(5615)
      expect((await mei.own('edit', { shareUrl: url, guestForm: null })).data).toMatchObject({ guestForm: null })
      expect((await site.upload((await visit(site, url)).token, 'b.txt', Buffer.from('b'))).code).toBe(200)
    })

    it('ask nothing that makes no sense', async () => {
      const make = async (guestForm: object, more: object = {}) =>
        (await mei.own('create', { shareUrlType: 0, shareServerPath: '/', shareFiles: ['inbox'], guestForm, ...more }))
          .code
      const text = { kind: 'text', label: 'Number' }
      expect(await make({ terms: '', fields: [] })).toBe(400)
      expect(await make({ terms: '', fields: [{ kind: 'text' }] })).toBe(400)
      expect(await make({ terms: '', fields: [{ kind: 'choice', label: 'Lot' }] })).toBe(400)
      expect(await make({ terms: '', fields: Array.from({ length: 11 }, () => text) })).toBe(400)
      expect(await make({ terms: '', fields: [text] }, { shareUrlType: 1 })).toBe(400)
    })

    it('show each visit its own files and folders only, and nothing of the owner (T27)', async () => {
      const url = await invite()
      const [first, second] = [await visit(site, url), await visit(site, url)]
      expect(await second.list()).toEqual([])
      expect((await first.ask('mkdir', { folder: '/', name: 'drawings' })).data).toEqual({ path: '/drawings' })
      expect((await second.ask('mkdir', { folder: '/', name: 'drawings' })).data).toEqual({ path: '/drawings (1)' })
      await site.upload(first.token, 'plan.txt', Buffer.from('plan'), '/drawings')
      await expect.poll(() => first.list('/drawings')).toEqual(['/drawings/plan.txt'])
      expect(await second.list()).toEqual(['/drawings (1)'])
      expect(await second.list('/drawings')).toEqual([])
      for (const folder of ['/..', '/../..', '/drawings/../..']) {
        const json = { folder, filename: 'x.txt', size: 1 }
        const { code } = await site.ask({ method: 'POST', path: '/api/uploads', token: first.token, json })
        expect([5100, 5104]).toContain(code)
      }
      expect((await first.ask('ticket', { paths: ['/drawings/plan.txt'] })).code).toBe(5605)
      const begun = await site.ask({
        method: 'POST',
        path: '/api/uploads',
        token: first.token,
        json: { ...size('abc') },
      })
      const { uploadId } = begun.data as unknown as { readonly uploadId: string }
      expect(begun.data).toMatchObject({ folder: '/', path: '/offer.txt' })
      const status = (token: string) => site.ask({ path: `/api/uploads/${uploadId}`, token })
      expect((await status(second.token)).code).toBe(5200)
      expect((await status(mei.token)).code).toBe(5200)
      expect((await status(first.token)).code).toBe(200)
      const unfinished = await site.ask({ path: '/api/uploads', token: first.token })
      expect(unfinished.data['items']).toMatchObject([{ uploadId }])
      expect((await site.ask({ path: '/api/uploads', token: mei.token })).data['items']).toEqual([])
    })

    it('end what runs with the link, and let it go on when the link comes back (T18)', async () => {
      const url = await invite()
      const guest = await visit(site, url)
      const begun = await site.ask({ method: 'POST', path: '/api/uploads', token: guest.token, json: size('abc') })
      const { uploadId, grant } = begun.data as unknown as { readonly uploadId: string; readonly grant: string }
      const part = () =>
        site.ask({ method: 'PUT', path: `/api/uploads/${uploadId}/parts/0`, token: grant, body: Buffer.from('abc') })
      await mei.own('cancel', { shareUrlList: [url] })
      expect((await part()).code).toBe(1041)
      expect((await guest.ask('list', { folder: '/' })).code).toBe(1009)
      await mei.own('enable', { shareUrlList: [url] })
      expect((await part()).code).toBe(200)
      const json = { conflict: 'replace' }
      const done = await site.ask({ method: 'POST', path: `/api/uploads/${uploadId}/complete`, token: grant, json })
      expect(done.data).toMatchObject({ state: 'completed' })
      expect(read('offer.txt')).toBe('of somebody else')
    })
  })
}
