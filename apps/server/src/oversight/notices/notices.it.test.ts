import { setTimeout as pause } from 'node:timers/promises'
import { randomHex, secureRandom } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveSender, SYSTEM } from '../../foundation/mail/index.ts'
import { login } from '../../identity/auth/auth.service.ts'
import { changeProfile } from '../../identity/auth/profile.service.ts'
import { addGroup, setMember } from '../../identity/groups/index.ts'
import {
  createUser,
  preferencesStore,
  setLocked,
  setPassword,
  type UserRow,
  usersStore,
} from '../../identity/users/index.ts'
import { NO_PROGRESS } from '../../content/files/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { createOutbox, recordEvent, type Outbox } from '../../kernel/events/index.ts'
import { createQueue, type Queue } from '../../kernel/queue/index.ts'
import { subscribeAll } from '../../kernel/run-features.ts'
import { AppError } from '../../kernel/errors.ts'
import { fileEvent } from '../../testing/file-events.ts'
import { openSignIns, SITE_URL, type SignIns } from '../../testing/sign-ins.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createNotices, type Notices } from './notices.service.ts'
import { createNoticeSubscribers, type NoticeSubscribers } from './notices.subscribers.ts'
import { userPrincipal } from '../../testing/principals.ts'

const PASSWORD = 'Sunrise-42x'
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

for (const { dialect, open } of DATABASES) {
  describe(`notices on ${dialect}`, () => {
    let smtp: Smtp
    let world: World
    let signIns: SignIns
    let outbox: Outbox
    let queue: Queue
    let notices: Notices
    let mei: UserRow
    let usage = { usedBytes: 0, quotaBytes: 0 }
    let subscribers: NoticeSubscribers

    beforeAll(async () => void (smtp = await launchSmtp()))
    afterAll(async () => smtp.stop())
    beforeEach(async () => {
      world = await open()
      signIns = openSignIns(world, smtp)
      const { database, clock, ids, bus } = world
      outbox = createOutbox({ db: database.db, clock, log: SILENT })
      queue = createQueue({ database, ids, bus, clock, random: secureRandom, log: SILENT })
      notices = createNotices({ db: database.db, clock, ids, bus, mailer: signIns.auth.mailer })
      const sources = { db: database.db, clock, queue, usageOf: () => Promise.resolve(usage) }
      subscribers = createNoticeSubscribers(notices, sources)
      subscribeAll(outbox, subscribers.on)
      const email = `mei-${randomHex(secureRandom, 6)}@example.org`
      mei = await createUser(signIns.users, { account: 'mei', email, password: PASSWORD })
      await outbox.start()
    })
    afterEach(async () => {
      await queue.stop()
      await outbox.stop()
      await signIns.stop()
      await world[Symbol.asyncDispose]()
    })

    const page = (pageNum = 1, pageSize = 10, userId = mei.id) =>
      notices.list({ userId, locale: 'en-US' }, { pageNum, pageSize })
    const expectNotices = async (userId: string, count = 1) => {
      for (; (await page(1, 50, userId)).total < count; await pause(20)) await subscribers.checkQuotas()
    }
    const signInFrom = (address: string) =>
      login(signIns.auth, callerCtx({ address, userAgent: 'Firefox\r\n\u202etest' }), {
        account: 'mei',
        password: encodePassword(PASSWORD),
      })
    const notify = (at: number, userId = mei.id) =>
      notices.notify({ userId, kind: 'password-changed', facts: {}, eventKey: `test:${userId}:${at}` })

    it('come in pages, newest first, with the numbers of the wire', async () => {
      for (let at = 0; at < 12; at++) {
        await notify(at)
        world.clock.advance(1_000)
      }
      const first = await page()
      expect(first).toMatchObject({ total: 12, size: 10, current: 1, unread: 12 })
      expect(first.notic_list).toHaveLength(10)
      expect(first.notic_list[0]).toMatchObject({ title: 'Your password was changed', isShowed: 0 })
      const times = first.notic_list.map(({ create_time: time }) => time)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      expect((await page(2)).notic_list).toHaveLength(2)
      expect((await page(3)).notic_list).toEqual([])
    })

    it('are written in the language of whoever reads them', async () => {
      await notify(1)
      const { notic_list: list } = await notices.list({ userId: mei.id, locale: 'zh-CN' }, { pageNum: 1, pageSize: 10 })
      expect(list[0]?.title).toBe('密码已更改')
    })

    it('are read once, by their own reader only, and every open page learns the new number', async () => {
      const seen: number[] = []
      world.bus.subscribe('notice.changed', ({ userId, unread }) => void (userId === mei.id && seen.push(unread)))
      const tom = await createUser(signIns.users, { account: 'tom', email: '', password: PASSWORD })
      await notify(1)
      await notify(2)
      await notify(3, tom.id)
      const ids = (await page()).notic_list.map(({ id }) => id)
      const toms = (await page(1, 10, tom.id)).notic_list.map(({ id }) => id)
      await expect(notices.markRead(mei.id, [...ids, ...toms])).rejects.toMatchObject({ wire: 6055 })
      expect(await notices.unread(mei.id)).toBe(2)
      expect(await notices.markRead(mei.id, ids.slice(0, 1))).toBe(1)
      expect(await notices.markRead(mei.id, [...ids, ...ids])).toBe(0)
      expect(await notices.unread(tom.id)).toBe(1)
      expect(seen).toEqual([1, 2, 1, 0])
      expect((await page()).notic_list.map(({ isShowed }) => isShowed)).toEqual([1, 1])
    })

    it('are made once, however often the event is delivered, and by none for an account that is gone', async () => {
      await Promise.all(Array.from({ length: 8 }, () => notify(1)))
      expect((await page()).total).toBe(1)
      await usersStore.remove(signIns.users.db, mei)
      await notify(2)
      expect(await world.database.db.selectFrom('notices').selectAll().execute()).toEqual([])
    })

    it('report a sign-in from a new address, but not from the first address of all', async () => {
      await signInFrom('192.0.2.1')
      await signInFrom('192.0.2.1')
      await signInFrom('2001:db8::1')
      await signInFrom('2001:db8::2')
      await expectNotices(mei.id)
      world.clock.advance(1_000)
      await setPassword(signIns.users, mei, 'Moonlight-77')
      await expectNotices(mei.id, 2)
      const [password, address, ...others] = (await page()).notic_list
      expect(others).toEqual([])
      expect(password?.title).toBe('Your password was changed')
      expect(address?.content).toContain('2001:db8::1')
      expect(address?.content).toContain('Program: Firefox test')
    })

    it('notify a new member of a group, once', async () => {
      const { db } = world.database
      const event = { userId: mei.id, groupId: 3, groupName: 'Design\nteam', at: 1 }
      for (let time = 0; time < 2; time++)
        await recordEvent({ tx: db, clock: world.clock }, 'group.member-added', event)
      outbox.nudge()
      await expectNotices(mei.id)
      expect((await page()).notic_list).toMatchObject([{ title: 'You were added to the group Design team' }])
    })

    it('report a failed task and a space that is nearly full, once', async () => {
      const events = async () => {
        await recordEvent({ tx: world.database.db, clock: world.clock }, 'job.failed', {
          jobId: 'j1',
          kind: 'copy',
          ownerId: mei.id,
        })
        const file = fileEvent('/a', mei.id)
        await recordEvent({ tx: world.database.db, clock: world.clock }, 'file.committed', file)
      }
      const steps = [79, 80, 89, 90, 95, 99]
      for (const [at, count] of [1, 2, 2, 3, 4, 4].entries()) {
        usage = { usedBytes: steps[at] ?? 0, quotaBytes: 100 }
        await events()
        await expectNotices(mei.id, count)
      }
      usage = { usedBytes: 190, quotaBytes: 200 }
      await events()
      await expectNotices(mei.id, 5)
      expect((await page()).notic_list.map(({ title }) => title).toSorted()).toEqual([
        'A task has failed: copy',
        'Your storage space is 80 % full',
        'Your storage space is 90 % full',
        'Your storage space is 95 % full',
        'Your storage space is 95 % full',
      ])
    })

    it('report every new way into the account, by its name', async () => {
      const { db } = world.database
      const changes = ['second-factor-on', 'passkey-added', 'token-created', 'second-factor-off'] as const
      for (const [at, what] of changes.entries()) {
        const event = { userId: mei.id, what, name: 'My\nphone', at }
        // Delivered twice, it is told once.
        for (let time = 0; time < 2; time++)
          await recordEvent({ tx: db, clock: world.clock }, 'account.access-changed', event)
      }
      outbox.nudge()
      await expectNotices(mei.id, 4)
      expect((await page()).notic_list.map(({ title }) => title).toSorted()).toEqual([
        'A passkey was added: My phone',
        'An API token was created: My phone',
        'Two-step verification was turned off',
        'Two-step verification was turned on',
      ])
    })

    it('notify those who keep a group how full its space is', async () => {
      const { db } = world.database
      const group = await addGroup({ db, clock: world.clock }, { name: 'Design', spaceId: 1, quotaBytes: 100 })
      await setMember({ db, clock: world.clock }, { groupId: group.id, user: mei }, {})
      usage = { usedBytes: 95, quotaBytes: 100 }
      const file = { ...fileEvent('/a', 'somebody'), groupId: group.id }
      await recordEvent({ tx: db, clock: world.clock }, 'file.committed', file)
      await expectNotices(mei.id, 2)
      expect((await page()).notic_list.map(({ title }) => title)).toContain(
        'The space of the group Design is 95 % full',
      )
    })

    it('come by e-mail as well to those who want them, in the language of their mails', async () => {
      await inTransaction(world.database.db, (tx) =>
        preferencesStore.change(tx, mei.id, { notice_mail: 1, language: 'zh-CN' }),
      )
      await notify(1)
      const { parsed } = await smtp.mailTo(mei.email)
      expect(parsed.subject).toBe('密码已更改')
      expect(parsed.text).toContain(`${SITE_URL}/notification`)
    })

    it('come by no e-mail to an account that is locked, and wait for it in the portal', async () => {
      const { db } = world.database
      await inTransaction(db, (tx) => preferencesStore.change(tx, mei.id, { notice_mail: 1 }))
      await setLocked(signIns.users, mei, true)
      await notify(1)
      expect((await page()).total).toBe(1)
      expect(await db.selectFrom('jobs').select('kind').execute()).toEqual([])
    })

    it('come with copies by a stored sender as well, which is asked for within their transaction', async () => {
      const stored = openSignIns(world)
      await saveSender(stored.senders, SYSTEM, {
        ...{ emailFromName: 'Godwit', emailType: 9, emailAccount: smtp.account, emailPassword: encodePassword('x') },
        ...{ emailSmtpHost: 'mail.invalid', emailSmtpPort: 465, emailEncryptType: 1 },
      })
      const principal = userPrincipal({ id: mei.id })
      const moved = `new-${mei.email}`
      await changeProfile(
        stored.auth,
        { ...callerCtx(), principal },
        {
          ...{ email: moved, password: encodePassword(PASSWORD), noticeMailSwitch: 1 },
        },
      )
      const { database, clock, ids, bus } = world
      const notice = { userId: mei.id, kind: 'password-changed', facts: {}, eventKey: 'test' } as const
      await createNotices({ db: database.db, clock, ids, bus, mailer: stored.auth.mailer }).notify(notice)
      await stored.stop()
      const jobs = await database.db.selectFrom('jobs').select('progress').execute()
      const recipients = jobs.map(({ progress }) => (JSON.parse(progress) as { readonly recipient: string }).recipient)
      expect(recipients).toEqual(expect.arrayContaining([mei.email, moved]))
    })

    it('notify the administrators of a mail that was given up, and begin no circle of mails', async () => {
      const admin = await createUser(signIns.users, {
        account: 'admin',
        email: 'refused@example.org',
        password: PASSWORD,
        isAdmin: true,
      })
      await inTransaction(world.database.db, (tx) => preferencesStore.change(tx, admin.id, { notice_mail: 1 }))
      for (let mail = 0; mail < 3; mail++)
        await signIns.auth.mailer.send({ to: 'refused@example.org', template: 'test', locale: 'en-US', values: {} })
      await expectNotices(admin.id)
      const [notice, ...others] = (await page(1, 10, admin.id)).notic_list
      expect(notice?.content).toContain('refused@example.org')
      expect(notice?.content).toContain('does not accept the recipient')
      expect(others).toEqual([])
      expect((await page()).total).toBe(0)
    })

    it('come from jobs of the queue that failed, in the transaction of their end', async () => {
      queue.handle({ move: () => Promise.reject(new AppError('PATH_NOT_FOUND')) })
      queue.start()
      const payload = {
        ...{ spaceId: 1, groupId: 0, paths: ['/a'], target: '/' },
        conflict: 'fail',
        seen: [],
        done: 0,
      } as const
      await queue.add({ kind: 'move', ownerId: mei.id, payload, progress: NO_PROGRESS })
      await expectNotices(mei.id)
      expect((await page()).notic_list[0]?.title).toBe('A task has failed: move')
    })

    it('are forgotten after 90 days when they were read, and after a year otherwise', async () => {
      await notify(1)
      await notify(2)
      const [newest] = (await page()).notic_list
      await notices.markRead(mei.id, [newest?.id ?? ''])
      world.clock.advance(91 * 24 * 3_600_000)
      await notices.purge()
      expect((await page()).total).toBe(1)
      world.clock.advance(300 * 24 * 3_600_000)
      await notices.purge()
      expect((await page()).total).toBe(0)
    })
  })
}
