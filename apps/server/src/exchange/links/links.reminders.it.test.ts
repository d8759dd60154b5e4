import { launchSmtp, type Smtp } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'
import { openSharing, verify, visitWith, type Sharing } from './testing/guests.ts'

const DAY_S = 86_400
const inSeconds = (): number => Math.floor(Date.now() / 1000)

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`reminders of links on ${engine}`, () => {
    let smtp: Smtp
    let site: Site
    let mei: Sharing
    let tom: Sharing

    beforeAll(async () => {
      smtp = await launchSmtp()
      site = await openSite({
        ...(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() }),
        env: {
          GODWIT_MAIL_HOST: '127.0.0.1',
          GODWIT_MAIL_PORT: String(smtp.plainPort),
          GODWIT_MAIL_ENCRYPTION: 'none',
          GODWIT_MAIL_ACCOUNT: smtp.account,
          GODWIT_OUTBOUND_ALLOW: '127.0.0.1,localhost',
        },
      })
      mei = await openSharing(site, 'mei')
      tom = await openSharing(site, 'tom')
      mei.put('plan.txt', 'the plan')
    })
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await smtp.stop()
    })

    const detail = async (url: string) => (await mei.look(`detail?url=${url}`)).data
    const titles = async ({ token }: Sharing) => {
      const { data } = await site.ask({ path: '/api/notice/list?pageSize=50', token })
      return (data['notic_list'] as unknown as ReadonlyArray<{ readonly title: string }>).map(({ title }) => title)
    }

    it('extend a link from its end, an expired one from now, and leave one without an end alone', async () => {
      const end = inSeconds() + 2 * DAY_S
      const url = await mei.link({ shareFiles: ['plan.txt'], shareExpireTime: end })
      const endless = await mei.link({ shareFiles: ['plan.txt'], shareExpireTime: 0 })
      expect((await mei.own('extend', { shareUrlList: [url, endless], days: 7 })).code).toBe(200)
      expect(await detail(url)).toMatchObject({ shareExpireTime: end + 7 * DAY_S })
      expect(await detail(endless)).toMatchObject({ shareExpireTime: 0 })
      const brief = await mei.link({ shareFiles: ['plan.txt'], shareExpireTime: inSeconds() + 2 })
      await expect.poll(async () => (await detail(brief))['shareStatus'], { timeout: BUSY_MS }).toBe(2)
      await mei.own('extend', { shareUrlList: [brief], days: 1 })
      const again = await detail(brief)
      expect(again).toMatchObject({ shareStatus: 1 })
      expect(Number(again['shareExpireTime'])).toBeGreaterThan(inSeconds() + DAY_S - 60)
      expect((await verify(site, { url: brief })).data).toMatchObject({ result: true })
      expect((await tom.own('extend', { shareUrlList: [url], days: 7 })).code).toBe(4025)
      expect((await mei.own('extend', { shareUrlList: [url], days: 8 })).code).toBe(400)
    })

    it('mail those who have not taken everything, once a day', async () => {
      const [ann, bob] = [`ann-${engine}@example.org`, `bob-${engine}@example.org`]
      const url = await mei.link({ shareFiles: ['plan.txt'], shareEmail: [ann, bob], emailLanguage: 1 })
      const to = /#to=([0-9a-f]{32})/.exec((await smtp.mailTo(ann)).parsed.text ?? '')?.[1] ?? ''
      const begun = await verify(site, { url, person: { to } })
      const guest = visitWith(site, (begun.data as unknown as { readonly token: string }).token)
      expect((await site.ask({ path: await guest.ticket([]) })).text).toBe('the plan')
      const percents = async () =>
        (
          (await mei.look(`recipients?url=${url}`)).data['items'] as unknown as ReadonlyArray<{
            percent: number | null
          }>
        ).map(({ percent }) => percent)
      await expect.poll(percents, { timeout: BUSY_MS }).toEqual([100, null])
      expect((await mei.own('remind', { url })).data).toEqual({ mails: 1, notices: 0 })
      expect((await smtp.mailTo(bob, 2)).parsed.subject).toBe('Reminder: mei shared “plan.txt” with you')
      const crowd = await Promise.all(Array.from({ length: 3 }, () => mei.own('remind', { url })))
      expect(crowd.map(({ code }) => code)).toEqual([5004, 5004, 5004])
      expect((await tom.own('remind', { url })).code).toBe(4025)
    })

    it('notify people of the site who have not opened a link', async () => {
      const found = await mei.look('people?keyword=tom')
      const [{ id } = { id: '' }] = found.data['users'] as unknown as ReadonlyArray<{ readonly id: string }>
      const wanted = { shareFiles: ['plan.txt'], audience: { kind: 'named', userIds: [id] } }
      const [read, unread] = [await mei.link(wanted), await mei.link(wanted)]
      const opened = { method: 'POST', path: '/api/share/received/open', token: tom.token, json: { url: read } }
      expect((await site.ask(opened)).code).toBe(200)
      expect((await mei.look(`recipients?url=${read}`)).data).toMatchObject({
        people: [{ account: 'tom', openedAt: expect.any(Number) as number }],
      })
      expect((await mei.own('remind', { url: read })).code).toBe(5617)
      expect((await mei.own('remind', { url: unread })).data).toEqual({ mails: 0, notices: 1 })
      await expect.poll(() => titles(tom), { timeout: BUSY_MS }).toContain('mei reminds you of “plan.txt”')
      await mei.own('cancel', { shareUrlList: [unread] })
      expect((await mei.own('remind', { url: unread })).code).toBe(1041)
    })
  })
}
