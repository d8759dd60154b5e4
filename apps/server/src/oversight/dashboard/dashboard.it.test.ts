import { adminLogRoutes, dashboardRoutes } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { signedInSocket } from '../../security/testing/sockets.ts'

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]
const LOST = { payload: '{"sealed":""}', progress: '{"recipient":"mei@example.org","tries":5}' }

for (const { name, url } of DATABASES) {
  describe(`the dashboard on ${name}`, () => {
    let site: Site
    const tokens = new Map<string, string>()
    const token = (who: string) => tokens.get(who) ?? ''

    beforeAll(async () => {
      const databaseUrl = await url()
      site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
      for (const account of ['watcher', 'keeper', 'member']) await site.addUser(account)
      await administer(site, 'watcher', ['statistics.view'])
      await administer(site, 'keeper', ['storages.view'])
      for (const who of ['admin', 'watcher', 'keeper', 'member']) tokens.set(who, (await site.signIn(who)).token)
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const ask = (path: string, who = 'admin', json?: object) =>
      site.ask({
        path: `/api/admin/${path}`,
        token: token(who),
        ...(json === undefined ? {} : { method: 'POST', json }),
      })
    const dashboard = async (query = '', who = 'admin') =>
      dashboardRoutes.now.reply.parse((await ask(`dashboard${query}`, who)).data)

    /** A job that failed, of the account `member`. */
    async function loseJob(id: string): Promise<void> {
      await site.withDatabase(async ({ db }) => {
        const owner = await db
          .selectFrom('users')
          .select('id')
          .where('account', '=', 'member')
          .executeTakeFirstOrThrow()
        const now = Date.now()
        const times = { run_at: now, deadline_at: now + 60_000, created_at: now, updated_at: now, lease_until: 0 }
        const job = {
          id,
          kind: 'mail.send',
          owner_id: owner.id,
          state: 'failed' as const,
          error: 'SMTP_FAILED',
          ...LOST,
        }
        await db
          .insertInto('jobs')
          .values({ ...job, ...times, cancel_requested: 0, lease_owner: '', attempts: 5 })
          .execute()
      })
    }

    it('shows nodes with their last hour, who is online, storages and health', async () => {
      const shown = await dashboard()
      expect(shown.nodes).toHaveLength(1)
      expect(shown.nodes[0]).toMatchObject({ runtime: `Node ${process.versions.node}` })
      expect(shown.samples.length).toBeGreaterThan(0)
      expect(shown.online).toBe(4)
      expect(shown.storages).toMatchObject([{ name: 'Local', kind: 'local', error: '', message: '' }])
      expect(shown.storages?.[0]?.totalBytes).toBeGreaterThan(0)
      const health = new Map(shown.health.map((item) => [item.name, item]))
      for (const part of ['database', 'data', 'storage']) expect(health.get(part)).toMatchObject({ state: 'ok' })
      expect(health.get('mail')).toMatchObject({ state: 'off', error: '' })
      expect((await dashboard(`?since=${shown.at + 60_000}`)).samples).toEqual([])
      expect((await dashboard('?node=unknown')).samples).toEqual([])
    })

    it('shows each panel to those who have its right, and none of it to others', async () => {
      expect(await dashboard('', 'watcher')).toMatchObject({ storages: null, failedJobs: null, parkedEvents: null })
      for (const who of ['keeper', 'member']) expect((await ask('dashboard', who)).code).toBe(1008)
      for (const path of ['jobs/failed', 'events/parked']) expect((await ask(path, 'watcher')).code).toBe(1008)
    })

    it('lists failed jobs with owner and reason, and lets them run again once', async () => {
      await loseJob('lost-1')
      const { rows, total } = dashboardRoutes.failedJobs.reply.parse((await ask('jobs/failed')).data)
      expect(total).toBe(1)
      expect(rows).toMatchObject([
        { id: 'lost-1', kind: 'mail.send', owner: 'member', error: 'SMTP_FAILED', attempts: 5 },
      ])
      expect(rows[0]?.message).not.toBe('')
      expect(JSON.stringify(rows)).not.toContain('mei@example.org')
      const [one, other] = await Promise.all([
        ask('jobs/rerun', 'admin', { jobIds: ['lost-1', 'lost-1', 'unknown'] }),
        ask('jobs/rerun', 'admin', { jobIds: ['lost-1'] }),
      ])
      expect(Number(one.data['rerun']) + Number(other.data['rerun'])).toBe(1)
      await expect.poll(async () => (await ask('jobs/failed')).data['total'], { timeout: 20_000 }).toBe(0)
      const log = adminLogRoutes.operations.reply.parse((await ask('log/operations?operation=job.rerun')).data)
      expect(log.rows[0]).toMatchObject({ actor: 'admin', result: 'ok' })
    })

    it('lists parked events without what they carry, and marks them to be delivered again', async () => {
      const event = { subscriber: 'gone.subscriber', position: 7, type: 'job.failed', payload: '{"secret":"path"}' }
      await site.withDatabase(async ({ db }) => {
        const row = { ...event, error: 'Error: no', attempts: 5, created_at: 1, parked_at: 2, retry: 0 }
        await db.insertInto('outbox_parked').values(row).execute()
      })
      const answer = await ask('events/parked')
      expect(answer.data['rows']).toMatchObject([{ subscriber: 'gone.subscriber', position: 7, reason: 'Error: no' }])
      expect(answer.text).not.toContain('secret')
      const retry = (position: number) =>
        ask('events/retry', 'admin', { events: [{ subscriber: 'gone.subscriber', position }] })
      expect((await retry(7)).data).toEqual({ retried: 1 })
      expect((await retry(8)).data).toEqual({ retried: 0 })
      expect((await ask('events/retry', 'watcher', { events: [] })).code).toBe(1008)
    })

    it('notifies pages that follow it of each sample, and nobody else', async () => {
      const [watcher, member] = [
        await signedInSocket(site.url, token('watcher')),
        await signedInSocket(site.url, token('member')),
      ]
      expect((await member.ask({ type: 'follow', topic: 'dashboard' })).code).toBe(1008)
      expect((await watcher.ask({ type: 'follow', topic: 'dashboard' })).code).toBe(200)
      expect((await watcher.ask({ type: 'follow', topic: 'dashboard' })).code).toBe(200)
      const of = (events: readonly unknown[]) =>
        events.filter((event) => (event as { readonly event: string }).event === 'dashboard.changed')
      await expect.poll(() => of(watcher.events).length, { timeout: 60_000 }).toBeGreaterThan(0)
      expect(of(member.events)).toEqual([])
      for (const { socket } of [watcher, member]) socket.close()
    })
  })
}
