import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, signInAgain, verify, visitWith, type Guest, type Sharing } from './testing/guests.ts'

interface Found {
  readonly users: ReadonlyArray<{ readonly id: string; readonly account: string }>
  readonly groups: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`links for people of the site on ${engine}`, () => {
    let site: Site
    let mei: Sharing
    let tom: Sharing
    let eve: Sharing
    let ids: Readonly<Record<'tom' | 'eve', string>>

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
      tom = await openSharing(site, 'tom')
      eve = await openSharing(site, 'eve')
      for (const folder of ['plans', 'meeting', 'later']) mei.put(`${folder}/a.txt`, 'alpha')
      await site.cli('group add Design --quota 1M')
      for (const account of ['mei', 'eve']) await site.cli(`group member --group 1 --account ${account}`)
      ids = { tom: (await person('tom')).id, eve: (await person('eve')).id }
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const people = async (keyword: string): Promise<Found> =>
      (await mei.look(`people?keyword=${keyword}`)).data as unknown as Found
    const person = async (account: string) => {
      const found = (await people(account)).users.find((user) => user.account === account)
      if (found === undefined) throw new Error(`nobody is called ${account}`)
      return found
    }
    const received = async ({ token }: Sharing, query = '') => {
      const { data } = await site.ask({ path: `/api/share/received/list${query}`, token })
      return data['items'] as unknown as ReadonlyArray<{ readonly linkId: string; readonly open: boolean }>
    }
    const open = ({ token }: Sharing, url: string) =>
      site.ask({ method: 'POST', path: '/api/share/received/open', token, json: { url } })
    const enter = async (who: Sharing, url: string): Promise<Guest> => {
      const answer = await open(who, url)
      if (answer.code !== 200) throw new Error(answer.text)
      return visitWith(site, (answer.data as unknown as { readonly token: string }).token)
    }
    const share = (audience: object, more: object = {}): Promise<string> =>
      mei.link({ shareServerPath: '/plans', audience, ...more })

    it('open for whom they name and for nobody else, whatever a guest shows', async () => {
      const url = await share({ kind: 'named', userIds: [ids.tom] }, { needPassword: true, shareUrlPasswd: 'rose' })
      expect(await (await enter(tom, url)).list()).toEqual(['/a.txt'])
      expect((await open(eve, url)).code).toBe(5620)
      for (const passwd of [undefined, 'rose'])
        expect((await verify(site, { url, ...(passwd === undefined ? {} : { passwd }) })).data).toMatchObject({
          ...{ result: false, code: 5618, account: '', token: '', needPassword: false },
        })
      expect((await site.ask({ path: `/api/share/link/info?url=${url}&passwd=rose` })).code).toBe(5618)
      const headers = { 'x-link-password': 'rose' }
      expect((await site.ask({ path: `/api/share/link/${url}/content`, headers })).code).toBe(5618)
      expect((await site.ask({ method: 'POST', path: '/api/share/received/open', json: { url } })).code).toBe(1009)
      expect((await open(tom, 'f'.repeat(32))).code).toBe(4025)
      const ordinary = await mei.link({ shareServerPath: '/plans' })
      expect((await open(tom, ordinary)).code).toBe(5620)
    })

    it('are listed, searched and sorted for whom they are for', async () => {
      const url = await share({ kind: 'named', userIds: [ids.tom] }, { description: 'for the meeting' })
      expect((await received(tom)).map(({ linkId }) => linkId)).toContain(url)
      expect(await received(tom, '?keyword=PLANS&orderBy=name&order=asc')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            ...{ linkId: url, title: 'plans', description: 'for the meeting', open: true, openedAt: 0 },
            owner: { account: 'mei', name: expect.any(String) as string },
          }),
        ]),
      )
      expect(await received(tom, '?keyword=mei')).not.toEqual([])
      expect(await received(tom, '?keyword=nothing')).toEqual([])
      expect((await received(eve)).map(({ linkId }) => linkId)).not.toContain(url)
      expect(await received(mei)).toEqual([])
      await enter(tom, url)
      const [row] = (await received(tom)).filter(({ linkId }) => linkId === url)
      expect(row).toMatchObject({ openedAt: expect.any(Number) as number })
      expect(row).not.toMatchObject({ openedAt: 0 })
      await mei.own('cancel', { shareUrlList: [url] })
      expect((await received(tom)).map(({ linkId }) => linkId)).not.toContain(url)
    })

    it('follow the members of a group, and end with the membership', async () => {
      const url = await share({ kind: 'named', groupIds: [1] })
      expect((await open(tom, url)).code).toBe(5620)
      const guest = await enter(eve, url)
      const ticket = await guest.ticket(['/a.txt'])
      await site.cli('group member --group 1 --account eve --remove')
      expect((await guest.ask('list', { folder: '/' })).code).toBe(1041)
      expect((await site.ask({ path: ticket })).code).toBe(1041)
      expect((await open(eve, url)).code).toBe(5620)
      expect((await received(eve)).map(({ linkId }) => linkId)).not.toContain(url)
      await site.cli('group member --group 1 --account eve')
      expect(await guest.list()).toEqual(['/a.txt'])
    })

    it('are for everybody who is signed in, and never more than their owner may do now', async () => {
      const url = await share({ kind: 'everyone' })
      const guests = [await enter(tom, url), await enter(eve, url)]
      for (const guest of guests) expect(await guest.list()).toEqual(['/a.txt'])
      await site.cli('user lock --account mei')
      for (const guest of guests) expect((await guest.ask('list', { folder: '/' })).code).toBe(1041)
      expect((await open(tom, url)).code).toBe(1041)
      expect((await received(tom)).find(({ linkId }) => linkId === url)).toMatchObject({ open: false })
      await site.cli('user unlock --account mei')
      expect(await guests[0]?.list()).toEqual(['/a.txt'])
      mei = await signInAgain(site, 'mei')
    })

    it('cut off whoever is taken off, and notify whoever is added, once', async () => {
      const url = await share({ kind: 'named', userIds: [ids.tom, ids.eve] }, { shareServerPath: '/meeting' })
      const notices = async (name: string) => {
        const { data } = await site.ask({ path: '/api/notice/list?pageSize=50', token: tom.token })
        const list = data['notic_list'] as unknown as ReadonlyArray<{ readonly title: string }>
        return list.filter(({ title }) => title.includes(name)).length
      }
      await expect.poll(() => notices('meeting')).toBe(1)
      const guest = await enter(tom, url)
      await mei.own('edit', { shareUrl: url, audience: { kind: 'named', userIds: [ids.eve] } })
      expect((await guest.ask('list', { folder: '/' })).code).toBe(1041)
      const edited = await mei.own('edit', { shareUrl: url, audience: { kind: 'named', userIds: [ids.eve, ids.tom] } })
      expect(edited.data).toMatchObject({
        audience: { kind: 'named', users: [{ account: 'eve' }, { account: 'tom' }], groups: [] },
      })
      expect(await guest.list()).toEqual(['/a.txt'])
      // Events come in their order: with the second link's notice the first one's would be there.
      await share({ kind: 'named', userIds: [ids.tom] }, { shareServerPath: '/later' })
      await expect.poll(() => notices('later')).toBe(1)
      expect(await notices('meeting')).toBe(1)
    })

    it('turn guests out when they become links for people of the site', async () => {
      const url = await mei.link({ shareServerPath: '/plans' })
      const answer = await verify(site, { url })
      const guest = visitWith(site, (answer.data as unknown as { readonly token: string }).token)
      expect(await guest.list()).toEqual(['/a.txt'])
      await mei.own('edit', { shareUrl: url, audience: { kind: 'everyone' } })
      expect((await guest.ask('list', { folder: '/' })).code).not.toBe(200)
      expect(await (await enter(tom, url)).list()).toEqual(['/a.txt'])
    })

    it('name nobody whom their owner cannot find', async () => {
      const wanted = { shareUrlType: 1, shareServerPath: '/plans' }
      const make = async (audience: object) => (await mei.own('create', { ...wanted, audience })).code
      expect(await make({ kind: 'named', userIds: ['f'.repeat(26)] })).toBe(5621)
      expect(await make({ kind: 'named', groupIds: [99] })).toBe(5621)
      expect(await make({ kind: 'named' })).toBe(400)
      expect(
        (await tom.own('create', { ...wanted, shareServerPath: '/', audience: { kind: 'named', groupIds: [1] } })).code,
      ).toBe(5621)
      expect((await people('')).users).toEqual([])
      expect((await people('to')).users).toMatchObject([{ account: 'tom' }])
      expect((await people('mei')).users).toEqual([])
      expect((await people('DES')).groups).toEqual([{ id: 1, name: 'Design' }])
    })
  })
}
