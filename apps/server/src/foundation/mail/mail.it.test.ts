import { setTimeout as pause } from 'node:timers/promises'
import { secureRandom } from '@godwit/base'
import { encodePassword, MAIL_ENCRYPTION, MAIL_PROVIDERS, type MailSenderInput } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openVault, VaultError } from '../../kernel/crypto/index.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { createQueue, type Queue } from '../../kernel/queue/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { openEndless } from './testing/endless-server.ts'
import {
  createMailer,
  MAIL_JOB,
  mailJobs,
  ownMailJobs,
  saveSender,
  senderInfo,
  serverOf,
  SYSTEM,
  type Mailer,
  type MailProgress,
  type SendersDeps,
} from './index.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const SITE = 'https://files.example.org'

for (const { dialect, open } of DATABASES) {
  describe(`mails on ${dialect}`, () => {
    let smtp: Smtp
    let world: World
    let senders: SendersDeps
    let queue: Queue
    let mailer: Mailer

    beforeAll(async () => void (smtp = await launchSmtp()))
    afterAll(async () => smtp.stop())
    beforeEach(async () => {
      world = await open()
      const { database, clock, ids, bus, folder } = world
      senders = { db: database.db, clock, vault: openVault(folder, secureRandom), configured: undefined }
      queue = createQueue({ database, ids, bus, clock, random: secureRandom, log: SILENT })
      const deps = {
        ...senders,
        queue,
        log: SILENT,
        url: () => SITE,
        productName: (locale: string) => Promise.resolve(locale === 'zh-CN' ? '塍鹬' : 'Godwit'),
        outbound: createOutbound(['127.0.0.1', '::1']),
        helloName: 'files.example.org',
        newMessageId: () => ids.next(),
        ca: smtp.ca,
      }
      mailer = createMailer(deps)
      queue.handle(mailJobs(deps))
      queue.handle(ownMailJobs(deps), 'own-mail')
      queue.start()
    })
    afterEach(async () => {
      await queue.stop()
      await world[Symbol.asyncDispose]()
    })

    const input = (change: Partial<MailSenderInput> = {}): MailSenderInput => ({
      emailFromName: '文件 Files',
      emailType: MAIL_PROVIDERS.other.wire,
      emailAccount: smtp.account,
      emailPassword: encodePassword(smtp.password),
      emailSmtpHost: 'localhost',
      emailSmtpPort: smtp.starttlsPort,
      emailEncryptType: MAIL_ENCRYPTION.starttls,
      ...change,
    })
    const storedMails = async () => {
      const rows = await world.database.db.selectFrom('jobs').selectAll().where('kind', '=', MAIL_JOB).execute()
      return rows.map((row) => ({ ...row, shown: JSON.parse(row.progress) as MailProgress }))
    }
    const send = (to: string, deadlineMs?: number) =>
      mailer.send({
        to,
        template: 'sign-in-code',
        locale: 'zh-CN',
        values: { account: 'mei', code: '042517', minutes: 10 },
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
      })
    const until = async (holds: (jobs: Awaited<ReturnType<typeof storedMails>>) => boolean) => {
      while (!holds(await storedMails())) await pause(20)
      return storedMails()
    }

    it('are sent by the stored sender, in the language and with the address of the installation', async () => {
      await expect(mailer.requireConfigured()).rejects.toMatchObject({ wire: 5430 })
      await saveSender(senders, SYSTEM, input())
      await mailer.requireConfigured()
      await send('stored@example.org')
      const { parsed, signedIn } = await smtp.mailTo('stored@example.org')
      expect(signedIn).toBe(true)
      expect(parsed.from).toMatchObject({ name: '文件 Files', address: smtp.account })
      expect(parsed.subject).toBe('你的登录验证码')
      expect(parsed.text).toContain('042517')
      expect(parsed.text).toContain(SITE)
      expect(parsed.html).toContain('042517')
    })

    it('wait sealed, and their text is forgotten once they are sent', async () => {
      await saveSender(senders, SYSTEM, input())
      await queue.stop()
      await send('sealed@example.org')
      expect(JSON.stringify(await storedMails())).not.toContain('042517')
      queue.start()
      await smtp.mailTo('sealed@example.org')
      const [job] = await until((jobs) => jobs.every(({ state }) => state === 'completed'))
      expect(job?.payload).toBe('{"sealed":""}')
      expect(job?.shown).toMatchObject({
        recipient: 'sealed@example.org',
        serverAnswer: expect.stringContaining('kept') as string,
      })
    })

    it('are tried again as long as their server puts them off', async () => {
      await saveSender(senders, SYSTEM, input())
      const to = `later@${dialect}.example.org`
      await send(to)
      const [job] = await until(([first]) => first?.shown.reason !== undefined && first.state === 'queued')
      expect(job?.shown).toMatchObject({
        stage: 'recipient',
        serverAnswer: expect.stringContaining('come back later') as string,
      })
      world.clock.advance(60_000)
      await smtp.mailTo(to)
    })

    it('are tried again after longer and longer, so that a server that is away is not asked all the time', async () => {
      await saveSender(senders, SYSTEM, input())
      await send('never@example.org')
      const waits: number[] = []
      for (const tries of [1, 2, 3]) {
        const [job] = await until(([first]) => first?.shown.tries === tries && first.state === 'queued')
        const seconds = Math.round((Number(job?.run_at) - world.clock.now()) / 1_000)
        waits.push(seconds)
        world.clock.advance(seconds * 1_000)
      }
      expect(waits).toEqual([5, 15, 45])
    })

    it('fail in sight of the operator: at once when refused for good, else at their deadline', async () => {
      await saveSender(senders, SYSTEM, input())
      await send('refused@example.org')
      await send('never@example.org', 1_000)
      const jobs = await until((all) => all.length === 2 && all.every(({ state }) => state === 'failed'))
      expect(jobs.map(({ shown }) => shown.reason)).toEqual(['recipient-refused', 'recipient-refused'])
      const events = await world.database.db.selectFrom('outbox').select('type').execute()
      expect(events.map(({ type }) => type)).toEqual(['job.failed', 'job.failed'])
    })

    it('wait for no server of somebody else’s sender that never ends its answer, and neither does a stop', async () => {
      await using slow = await openEndless()
      await saveSender(senders, SYSTEM, input())
      const own = { emailSmtpHost: '127.0.0.1', emailSmtpPort: slow.port, emailEncryptType: MAIL_ENCRYPTION.none }
      await saveSender(senders, 'u1', input(own))
      const mail = { template: 'notice', locale: 'en-US', values: { title: 'Hello', content: 'Hello' } } as const
      const ids = await Promise.all(
        [1, 2, 3, 4].map(() => mailer.send({ ...mail, to: 'tom@example.org', ownerId: 'u1' })),
      )
      await expect.poll(() => slow.callers()).toBe(4)
      const to = `code@${dialect}.example.org`
      await send(to)
      expect((await smtp.mailTo(to)).parsed.text).toContain('042517')
      await queue.stop()
      for (const id of ids) expect(await queue.byId(id)).toMatchObject({ state: 'queued' })
    })

    it('to nobody are queued like all others, and sent to nobody', async () => {
      await saveSender(senders, SYSTEM, input())
      const before = (await smtp.mails()).length
      await send('')
      await until((jobs) => jobs.every(({ state }) => state === 'completed'))
      expect((await smtp.mails()).length).toBe(before)
    })

    it('keep the password of their sender to themselves, also towards another server', async () => {
      await saveSender(senders, 'u1', input())
      const info = await senderInfo(senders, 'u1')
      expect(info).toMatchObject({ emailPassword: '', emailPasswordSet: true, configured: true, emailType: 9 })
      const rows = await world.database.db.selectFrom('mail_senders').selectAll().execute()
      expect(JSON.stringify([info, rows])).not.toContain(smtp.password)
      await saveSender(senders, 'u1', input({ emailPassword: '', emailFromName: 'Renamed' }))
      expect(await serverOf(senders, 'u1')).toMatchObject({ fromName: 'Renamed', password: smtp.password })
      const elsewhere = [
        { emailSmtpHost: 'evil.example.org' },
        { emailSmtpPort: 25 },
        { emailAccount: 'other@example.org' },
        { emailEncryptType: MAIL_ENCRYPTION.none },
      ]
      for (const change of elsewhere) {
        await expect(saveSender(senders, 'u1', input({ emailPassword: '', ...change }))).rejects.toMatchObject({
          code: 'VALUE_REQUIRED',
        })
      }
      expect(await serverOf(senders, 'u2')).toBeUndefined()
    })

    it('have senders with the rules of their providers', async () => {
      const { gmail, outlook } = MAIL_PROVIDERS
      const wrong: Array<Partial<MailSenderInput>> = [
        { emailType: gmail.wire, emailEncryptType: MAIL_ENCRYPTION.starttls },
        { emailType: outlook.wire, emailEncryptType: MAIL_ENCRYPTION.none },
        { emailFromName: 'a\r\nBcc: x@example.org' },
        { emailSmtpHost: 'mail.example.org\r\nRCPT' },
        { emailSmtpHost: 'http://mail.example.org/' },
        { emailPassword: 'no base64!' },
        { emailPassword: encodePassword('a\0b') },
      ]
      for (const change of wrong) {
        await expect(saveSender(senders, SYSTEM, input(change))).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      }
    })

    it('say what to do when a stored password cannot be read any more', async () => {
      await saveSender(senders, SYSTEM, input())
      await world.database.db.updateTable('mail_senders').set({ password_sealed: 'v1.broken' }).execute()
      await expect(serverOf(senders, SYSTEM)).rejects.toThrow(VaultError)
      expect(await mailer.isConfigured()).toBe(true)
      await send('lost@example.org')
      const [job] = await until((jobs) => jobs.every(({ state }) => state === 'failed'))
      expect(job?.shown.reason).toBe('password-unreadable')
    })

    it('are tried with settings that are not saved yet, and say what the server says', async () => {
      const server = (change: object) => ({
        ...{ fromName: '', account: smtp.account, password: smtp.password, host: 'localhost' },
        ...{ port: smtp.starttlsPort, encryption: MAIL_ENCRYPTION.starttls },
        ...change,
      })
      const tested = await mailer.test(server({}), 'try@example.org', { locale: 'en-US' })
      expect(tested).toMatchObject({
        recipient: 'try@example.org',
        serverAnswer: expect.stringContaining('250') as string,
      })
      expect((await smtp.mailTo('try@example.org')).parsed.from?.name).toBe('Godwit')
      await expect(
        mailer.test(server({ password: 'wrong' }), 'try@example.org', { locale: 'en-US' }),
      ).rejects.toMatchObject({
        wire: 5431,
        details: { stage: 'sign-in', reason: 'credentials' },
      })
      await expect(
        mailer.test(server({ port: smtp.plainPort }), 'try@example.org', { locale: 'en-US' }),
      ).rejects.toMatchObject({
        wire: 5432,
        details: { stage: 'tls', reason: 'no-tls' },
      })
      expect(await storedMails()).toEqual([])
    })
  })
}
