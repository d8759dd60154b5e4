import { randomHex, secureRandom } from '@godwit/base'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SystemNotice } from '@godwit/contract'
import { bulkMailJobs } from '../../foundation/mail/index.ts'
import { createSettings } from '../../foundation/settings/index.ts'
import { addGroup, setMember } from '../../identity/groups/index.ts'
import { createUser, preferencesStore, type UserRow, usersStore } from '../../identity/users/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { createQueue, type Queue } from '../../kernel/queue/index.ts'
import { openSignIns, type SignIns } from '../../testing/sign-ins.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { announcementJobs } from './announcements.jobs.ts'
import { ANNOUNCE_JOB } from './announcements.kind.ts'
import {
  announcementDetail,
  beginDue,
  cancelAnnouncement,
  editAnnouncement,
  findTargets,
  listAnnouncements,
  reachOf,
  sendAnnouncement,
  type AnnouncementsDeps,
} from './announcements.service.ts'
import { createNotices, type Notices } from './notices.service.ts'
import { isNoticeOn } from './notices.settings.ts'

const PASSWORD = 'Sunrise-42x'
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const NOBODY = { all: false, users: [], groups: [], departments: [] }
const HOUR_MS = 3_600_000

for (const { dialect, open } of DATABASES) {
  describe(`notices by hand on ${dialect}`, () => {
    let smtp: Smtp
    let world: World
    let signIns: SignIns
    let queue: Queue
    let deps: AnnouncementsDeps
    let notices: Notices
    let people: readonly [UserRow, UserRow, UserRow]

    beforeAll(async () => void (smtp = await launchSmtp()))
    afterAll(async () => smtp.stop())
    beforeEach(async () => {
      world = await open()
      signIns = openSignIns(world, smtp)
      const { database, clock, ids, bus } = world
      queue = createQueue({ database, ids, bus, clock, random: secureRandom, log: SILENT })
      deps = { db: database.db, clock, ids, bus, mailer: signIns.auth.mailer, queue }
      notices = createNotices(deps)
      people = [await person('mei'), await person('tom'), await person('ann', '')]
    })
    afterEach(async () => {
      await queue.stop()
      await signIns.stop()
      await world[Symbol.asyncDispose]()
    })

    const person = (account: string, email = `${account}-${randomHex(secureRandom, 6)}@example.org`) =>
      createUser(signIns.users, { account, email, password: PASSWORD })
    const wanted = (change: object = {}) => ({
      ...{ titleEn: 'Maintenance', textEn: 'Tonight at 8.\nSee https://example.org', titleZh: '', textZh: '' },
      ...{ channels: ['website' as const], audience: { ...NOBODY, all: true }, sendAt: 0 },
      ...change,
    })
    const noRecord = () => Promise.resolve()
    const send = (change: object = {}) => sendAnnouncement(deps, { wanted: wanted(change), author: 'admin' }, noRecord)
    const run = () => {
      queue.handle(announcementJobs(deps))
      queue.start()
    }
    const stateOf = async (id: string) => (await announcementDetail(deps.db, id)).state
    const sent = async (id: string) => {
      await expect.poll(() => stateOf(id), { timeout: 30_000 }).toBe('sent')
    }
    const titlesOf = async (user: UserRow, locale: 'en-US' | 'zh-CN' = 'en-US') =>
      (await notices.list({ userId: user.id, locale }, { pageNum: 1, pageSize: 50 })).notic_list.map(
        ({ title, isWritten }) => ({ title, isWritten }),
      )

    it('reach everybody once, each in their language, and count who read them', async () => {
      run()
      const id = await send({ titleZh: '维护', textZh: '今晚八点。' })
      await sent(id)
      const [mei, tom] = people
      expect(await titlesOf(mei)).toEqual([{ title: 'Maintenance', isWritten: true }])
      expect(await titlesOf(tom, 'zh-CN')).toEqual([{ title: '维护', isWritten: true }])
      const { notic_list: list } = await notices.list({ userId: mei.id, locale: 'zh-CN' }, { pageNum: 1, pageSize: 10 })
      expect(list[0]).toMatchObject({ content: '今晚八点。' })
      const ids = list.map((notice) => notice.id)
      await Promise.all(Array.from({ length: 4 }, () => notices.markRead(mei.id, ids)))
      expect(await announcementDetail(deps.db, id)).toMatchObject({ reached: 3, mailed: 0, read: 1 })
      const page = await listAnnouncements(deps.db, { text: 'MAINT', page: 1, size: 10 })
      expect(page).toMatchObject({ total: 1, rows: [{ id, state: 'sent', author: 'admin' }] })
      expect((await listAnnouncements(deps.db, { state: 'planned', page: 1, size: 10 })).total).toBe(0)
    })

    it('reach groups and departments with those below, nobody twice, and no one else', async () => {
      const [mei, tom, ann] = people
      const group = await addGroup(deps, { name: 'Design', spaceId: 1, quotaBytes: 0 })
      await setMember(deps, { groupId: group.id, user: mei }, {})
      const insert = async (name: string, parentId: number) =>
        Number(
          (
            await deps.db
              .insertInto('departments')
              .values({ ...{ parent_id: parentId, name, name_key: name.toLowerCase() }, ...ROW })
              .executeTakeFirstOrThrow()
          ).insertId,
        )
      const top = await insert('Production', 0)
      const below = await insert('Sound', top)
      await usersStore.update(deps.db, tom.id, { department_id: below })
      const audience = { ...NOBODY, users: [mei.id], groups: [group.id], departments: [top] }
      expect(await reachOf(deps, audience)).toEqual({ people: 2, withMail: 2 })
      expect(await reachOf(deps, { ...NOBODY, all: true })).toEqual({ people: 3, withMail: 2 })
      expect(await reachOf(deps, NOBODY)).toEqual({ people: 0, withMail: 0 })
      run()
      const id = await send({ audience })
      await sent(id)
      for (const [user, count] of [[mei, 1] as const, [tom, 1] as const, [ann, 0] as const])
        expect(await titlesOf(user)).toHaveLength(count)
      const detail = await announcementDetail(deps.db, id)
      expect(detail.audience).toEqual({
        ...{ all: false, users: [{ id: mei.id, name: 'mei' }] },
        ...{ groups: [{ id: group.id, name: 'Design' }], departments: [{ id: top, name: 'Production' }] },
      })
      expect(await findTargets(deps.db, 'des')).toEqual({
        ...{ users: [], departments: [] },
        groups: [{ id: group.id, name: 'Design' }],
      })
      expect((await findTargets(deps.db, 'ME')).users).toEqual([{ id: mei.id, name: 'mei' }])
    })

    it('wait for their time, and can be changed and cancelled until then', async () => {
      run()
      const sendAt = world.clock.now() + HOUR_MS
      const [first, second] = [await send({ sendAt }), await send({ sendAt })]
      await beginDue(deps)
      expect(await stateOf(first)).toBe('planned')
      const change = { id: first, wanted: wanted({ titleEn: 'Later', sendAt: sendAt + HOUR_MS }) }
      await editAnnouncement(deps, { ...change, revision: 1 }, noRecord)
      await expect(editAnnouncement(deps, { ...change, revision: 1 }, noRecord)).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
      })
      await cancelAnnouncement(deps, second, noRecord)
      world.clock.advance(3 * HOUR_MS)
      await Promise.all([beginDue(deps), beginDue(deps)])
      await sent(first)
      expect(await stateOf(second)).toBe('cancelled')
      expect(await titlesOf(people[0])).toEqual([{ title: 'Later', isWritten: true }])
      for (const late of [
        () => editAnnouncement(deps, { ...change, revision: 2 }, noRecord),
        () => cancelAnnouncement(deps, first, noRecord),
        () => cancelAnnouncement(deps, second, noRecord),
      ])
        await expect(late()).rejects.toMatchObject({ code: 'NOTICE_ALREADY_SENT' })
      await expect(announcementDetail(deps.db, 'absent')).rejects.toMatchObject({ code: 'NOTICE_NOT_FOUND' })
    })

    it('go on after a kill where they were, and two processes at once reach nobody twice', async () => {
      const rows = Array.from({ length: 450 }, (_each, at) => ({
        ...people[2],
        ...{ id: `crowd-${String(at).padStart(4, '0')}`, account: `crowd${at}`, account_key: `crowd${at}` },
        home: `crowd${at}`,
      }))
      for (let at = 0; at < rows.length; at += 50)
        await deps.db
          .insertInto('users')
          .values(rows.slice(at, at + 50))
          .execute()
      const id = await send()
      const work = announcementJobs(deps)[ANNOUNCE_JOB]
      const job = { payload: { announcementId: id }, progress: { reached: 0 } } as never
      const killed = new AbortController()
      const report = ({ reached }: { readonly reached: number }) => void (reached > 0 && killed.abort())
      const atOnce = { checkpoint: () => Promise.resolve(), report, signal: killed.signal }
      await expect(work?.(job, atOnce)).rejects.toThrow('aborted')
      const half = await announcementDetail(deps.db, id)
      expect(half.state).toBe('sending')
      expect(half.reached).toBeLessThan(453)
      const other = { ...atOnce, report: () => undefined, signal: new AbortController().signal }
      await Promise.all([work?.(job, other), work?.(job, other)])
      expect(await announcementDetail(deps.db, id)).toMatchObject({ state: 'sent', reached: 453 })
      const all = await deps.db.selectFrom('notices').select('user_id').execute()
      expect(all).toHaveLength(453)
      expect(new Set(all.map(({ user_id: userId }) => userId)).size).toBe(453)
    })

    it('come by mail through a lane of their own, in the language of the account', async () => {
      const [mei, tom] = people
      await inTransaction(deps.db, (tx) => preferencesStore.change(tx, tom.id, { language: 'zh-CN' }))
      queue.handle(bulkMailJobs(signIns.mailerDeps))
      run()
      const id = await send({ channels: ['email'], titleZh: '维护', textZh: '今晚八点。' })
      await sent(id)
      expect(await announcementDetail(deps.db, id)).toMatchObject({ reached: 3, mailed: 2 })
      expect((await smtp.mailTo(mei.email)).parsed.subject).toBe('Maintenance')
      expect((await smtp.mailTo(tom.email)).parsed.subject).toBe('维护')
      expect(await titlesOf(mei)).toEqual([])
    })

    it('go to no mailbox of an account that is locked or whose time is over', async () => {
      const [mei, tom] = people
      const late = await person('kim')
      await usersStore.update(deps.db, tom.id, { locked: 1 })
      await usersStore.update(deps.db, late.id, { valid_until: world.clock.now() - 1 })
      expect(await reachOf(deps, { ...NOBODY, all: true })).toEqual({ people: 4, withMail: 1 })
      queue.handle(bulkMailJobs(signIns.mailerDeps))
      run()
      const id = await send({ channels: ['email'] })
      await sent(id)
      expect(await announcementDetail(deps.db, id)).toMatchObject({ mailed: 1 })
      const queued = await deps.db.selectFrom('jobs').select('progress').where('kind', '=', 'mail.bulk').execute()
      expect(queued.map(({ progress }) => JSON.parse(progress) as unknown)).toMatchObject([{ recipient: mei.email }])
    })

    it('leave notices alone that the server writes by itself, unless the site switched those off', async () => {
      const settings = createSettings({ ...deps, log: SILENT })
      const isOn = (kind: SystemNotice) => isNoticeOn(settings, kind)
      const own = createNotices({ ...deps, isOn })
      const [mei] = people
      const notify = async (key: string) => {
        await own.notify({ userId: mei.id, kind: 'group-added', facts: { group: 'Design' }, eventKey: `group:${key}` })
        await own.notify({ userId: mei.id, kind: 'password-changed', facts: {}, eventKey: `password:${key}` })
      }
      await notify('before')
      expect(await titlesOf(mei)).toHaveLength(2)
      await deps.db
        .insertInto('setting_values')
        .values({ scope: 'site', scope_id: '', name: 'notices.groupAdded', value: '0' })
        .execute()
      settings.forget()
      await notify('after')
      expect(await titlesOf(mei)).toHaveLength(3)
      expect(await isOn('quota-nearly-full')).toBe(true)
    })

    it('are refused at the field that is missing', async () => {
      const faults: ReadonlyArray<readonly [object, string, string]> = [
        [{ titleEn: '', textEn: '' }, 'VALUE_REQUIRED', 'titleEn'],
        [{ textEn: '' }, 'VALUE_REQUIRED', 'textEn'],
        [{ textZh: '今晚' }, 'VALUE_REQUIRED', 'titleZh'],
        [{ channels: [] }, 'VALUE_REQUIRED', 'channels'],
        [{ audience: NOBODY }, 'VALUE_REQUIRED', 'audience'],
        [{ audience: { ...NOBODY, users: ['gone'] } }, 'PARAMETER_INVALID', 'audience'],
      ]
      for (const [change, code, field] of faults)
        await expect(send(change)).rejects.toMatchObject({ code, details: { field } })
      const withoutMail = { ...deps, mailer: { ...deps.mailer, isConfigured: () => Promise.resolve(false) } }
      const mailed = { wanted: wanted({ channels: ['email'] }), author: 'admin' }
      await expect(sendAnnouncement(withoutMail, mailed, noRecord)).rejects.toMatchObject({
        code: 'SYSTEM_MAIL_NOT_CONFIGURED',
      })
      expect((await listAnnouncements(deps.db, { page: 1, size: 10 })).total).toBe(0)
    })
  })
}

const ROW = { source: 'local' as const, revision: 1, created_at: 0 }
