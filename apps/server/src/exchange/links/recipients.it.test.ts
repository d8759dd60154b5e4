import { launchSmtp, type Smtp } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rootOfBytes } from '../../content/tree-hashes/index.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'
import { openSharing, verify, visit, type Sharing } from './testing/guests.ts'

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`links for their recipients alone on ${engine}`, () => {
    let smtp: Smtp
    let site: Site
    let mei: Sharing

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
      mei.put('plan.txt', 'the plan')
    })
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await smtp.stop()
    })

    const share = (shareEmail: readonly string[], more: object = {}) =>
      mei.link({ shareFiles: ['plan.txt'], shareEmail, needEmail: true, emailLanguage: 1, ...more })
    const ask = (url: string, person: object) =>
      site.ask({ method: 'POST', path: '/api/share/link/code', json: { url, person, language: 1 } })
    /** The link's own mail and that of the code may come in either order. */
    const mailed = async (address: string, pattern: RegExp): Promise<string> => {
      for (let count = 1; ; count++) {
        const found = pattern.exec((await smtp.mailTo(address, count)).parsed.text ?? '')?.[1]
        if (found !== undefined) return found
      }
    }
    const codeTo = (address: string) => mailed(address, /\b(\d{6})\b/)
    const tokenTo = (address: string) => mailed(address, /#to=([0-9a-f]{32})/)
    const recipients = async (url: string) => (await mei.look(`recipients?url=${url}`)).data['items']
    const other = (code: string) => (code === '000000' ? '111111' : '000000')

    it('open by a code that is mailed, once, to whoever it was mailed to, and say who it was', async () => {
      const ann = `ann-${engine}@example.org`
      const url = await share([ann])
      expect((await verify(site, { url })).data).toMatchObject({ result: false, code: 5616, token: '', email: '' })
      const to = await tokenTo(ann)
      expect((await verify(site, { url, person: { to } })).data).toMatchObject({ code: 5616, email: 'a…@example.org' })
      const sent = await ask(url, { to })
      expect(sent.data).toEqual({ resendAfterSeconds: 60, expiresInSeconds: 600 })
      const code = await codeTo(ann)
      expect((await verify(site, { url, person: { to }, code: other(code) })).code).toBe(5406)
      const person = { address: ann.toUpperCase() }
      const crowd = await Promise.all(Array.from({ length: 2 }, () => verify(site, { url, person, code })))
      expect(crowd.filter(({ data }) => data['result'] === true)).toHaveLength(1)
      expect((await verify(site, { url, person: { to }, code })).data['result']).not.toBe(true)
      const token = String(crowd.find(({ data }) => data['result'] === true)?.data['token'])
      const ticket = await site.ask({ method: 'POST', path: '/api/share/visit/ticket', token, json: { paths: [] } })
      expect((await site.ask({ path: String(ticket.data['url']) })).text).toBe('the plan')
      expect((await mei.look(`uses?url=${url}`)).data['items']).toMatchObject([{ kind: 'download', recipient: ann }])
      await expect
        .poll(() => recipients(url), { timeout: BUSY_MS })
        .toMatchObject([{ address: ann, mail: 'sent', downloads: 1, bytes: 8, percent: 100 }])
      const [known] = (await recipients(url)) as unknown as ReadonlyArray<Readonly<Record<string, number>>>
      expect([known?.['openedAt'], known?.['provenAt']].every((time) => (time ?? 0) > 0)).toBe(true)
      // Whoever is taken off the list is out.
      await mei.own('edit', { shareUrl: url, shareEmail: ['tom@example.org'] })
      const list = await site.ask({ method: 'POST', path: '/api/share/visit/list', token, json: { folder: '/' } })
      expect(list.code).not.toBe(200)
    })

    it('take the checksum of a copy, and show the owner whose copies are equal', async () => {
      const fay = `fay-${engine}@example.org`
      const plan = Buffer.from('the plan, as it was uploaded')
      expect((await site.upload(mei.token, `sent-${engine}.txt`, plan)).code).toBe(200)
      const file = `/sent-${engine}.txt`
      const hash = rootOfBytes(plan)
      const url = await share([fay], { shareFiles: [file.slice(1), 'plan.txt'] })
      await ask(url, { address: fay })
      const person = { address: fay }
      const token = String((await verify(site, { url, person, code: await codeTo(fay) })).data['token'])
      const check = async (json: object) => {
        const { code, data } = await site.ask({ method: 'POST', path: '/api/share/visit/check', token, json })
        return data['result'] ?? code
      }
      expect(await check({ path: file, size: plan.length, hash: hash.replace(/./g, '0') })).toBe('different')
      expect(await check({ path: file, size: 1, hash })).toBe('different')
      expect(await recipients(url)).toMatchObject([{ verified: 0 }])
      expect(await Promise.all([1, 2].map(() => check({ path: file, size: plan.length, hash })))).toEqual([
        'equal',
        'equal',
      ])
      expect(await recipients(url)).toMatchObject([{ verified: 1 }])
      // It was put on the disk by others, so nothing is known of it.
      expect(await check({ path: '/plan.txt', size: 8, hash })).toBe('unknown')
      expect(await check({ path: '/plan.txt', size: 9, hash })).toBe('different')
      expect(await check({ path: '/other.txt', size: 9, hash })).toBe(5100)
      await mei.own('edit', { shareUrl: url, shareAllowDownload: 0 })
      expect(await check({ path: file, size: plan.length, hash })).toBe(5605)
    })

    it('show nobody who is a recipient, and mail to nobody else', async () => {
      const bo = `bo-${engine}@example.org`
      const [url, elsewhere] = [await share([bo]), await share([`cy-${engine}@example.org`])]
      const stranger = `stranger-${engine}@example.org`
      const answers = await Promise.all([ask(url, { address: bo }), ask(url, { address: stranger })])
      expect(answers[0]?.data).toEqual(answers[1]?.data)
      const code = await codeTo(bo)
      const guess = (address: string, typed: string, link = url) =>
        verify(site, { url: link, person: { address }, code: typed })
      const wrong = [await guess(bo, other(code)), await guess(stranger, other(code))]
      expect(wrong.map(({ code: wire }) => wire)).toEqual([5406, 5406])
      expect(wrong[0]?.text.replaceAll(/"requestId":"[^"]*"/g, '')).toBe(
        wrong[1]?.text.replaceAll(/"requestId":"[^"]*"/g, ''),
      )
      // The code of one link is none for another.
      expect((await guess(bo, code, elsewhere)).code).toBe(5407)
      expect((await ask(url, { address: 'nobody' })).code).toBe(4029)
      expect((await guess(bo, code)).data['result']).toBe(true)
      expect((await smtp.mails()).filter(({ recipients: to }) => to.includes(stranger))).toEqual([])
    })

    it('count a guess before it is tried, and refuse curl and lists without recipients', async () => {
      const di = `di-${engine}@example.org`
      const url = await share([di])
      await ask(url, { address: di })
      const code = await codeTo(di)
      const guesses = await Promise.all(
        Array.from({ length: 12 }, () => verify(site, { url, person: { address: di }, code: other(code) })),
      )
      const wires = guesses.map(({ code: wire }) => wire)
      expect(wires.filter((wire) => wire === 5406).length).toBeLessThanOrEqual(5)
      expect(wires.filter((wire) => wire !== 5406 && wire !== 5004)).toEqual([])
      expect((await verify(site, { url, person: { address: di }, code })).data['result']).not.toBe(true)
      expect((await site.ask({ path: `/api/share/link/${url}/content` })).code).toBe(5616)
      expect((await site.ask({ path: `/api/share/link/info?url=${url}` })).code).toBe(5616)
      const refused = await mei.own('create', { shareUrlType: 1, shareServerPath: '/', needEmail: true })
      expect(refused.code).toBe(5617)
    })

    it('are previewed as they will be mailed, which mails nothing', async () => {
      const wanted = { shareUrlType: 1, name: 'plan.txt', shareEmailContent: 'Page 2, please.', emailLanguage: 1 }
      const { data } = await mei.own('mail/preview', wanted)
      const zoe = `zoe-${engine}@example.org`
      await share([zoe], { shareEmailContent: wanted.shareEmailContent })
      const { subject, text } = (await smtp.mailTo(zoe)).parsed
      expect(data['subject']).toBe(subject)
      const lines = (mail: unknown) =>
        String(mail)
          .trim()
          .replace(/\/share\/\S+/, '/share/…')
      expect(lines(data['text'])).toBe(lines(text))
      expect([String(data['html']), String(data['htmlDark'])].map((html) => html.includes('Page 2'))).toEqual([
        true,
        true,
      ])
      expect((await mei.own('mail/preview', { ...wanted, emailLanguage: 0 })).data['subject']).not.toBe(subject)
      expect((await mei.own('mail/preview', { ...wanted, emailLanguage: 7 })).code).toBe(400)
    })

    it('show what the mail server said at the recipient, and are mailed again to one of them', async () => {
      const [bad, eve] = [`refused@${engine}.example.org`, `eve-${engine}@example.org`]
      const url = await share([bad, eve], { needEmail: false })
      await expect
        .poll(() => recipients(url), { timeout: BUSY_MS })
        .toMatchObject([
          { address: eve, mail: 'sent' },
          { address: bad, mail: 'refused', answer: expect.stringMatching(/^5\d\d/) as string },
        ])
      const again = async (address: string) => (await mei.own('mail', { url, address })).code
      expect(await again('stranger@example.org')).toBe(5617)
      expect(await again(bad)).toBe(200)
      const tom = await openSharing(site, 'tom')
      expect((await tom.own('mail', { url, address: eve })).code).toBe(4025)
      expect((await tom.look(`recipients?url=${url}`)).code).toBe(4025)
      // A personal address says whose it is, where no code is asked for.
      const guest = await verify(site, { url, person: { to: await tokenTo(eve) } })
      expect(guest.data['result']).toBe(true)
      expect(await recipients(url)).toMatchObject([{ address: eve, percent: null }, { address: bad }])
      expect(await (await visit(site, url)).list()).toEqual(['/plan.txt'])
    })
  })
}
