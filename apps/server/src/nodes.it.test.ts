import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { secureRandom, systemClock } from '@godwit/base'
import { ERRORS } from '@godwit/contract'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { mariadbUrl, redisUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, setLocked, usersStore, type UsersDeps } from './identity/users/index.ts'
import { loadConfig } from './kernel/config/index.ts'
import { connectDatabase, type Database } from './kernel/db/index.ts'
import { createBus } from './kernel/events/index.ts'
import { timeOrderedIds } from './kernel/ids.ts'
import { createLog } from './kernel/log.ts'
import { signedInSocket } from './security/testing/sockets.ts'
import { ask, signIn } from './security/testing/wire.ts'
import { keepFilesInBucket } from './testing/bucket-storages.ts'
import { startApp, type App } from './start-app.ts'

const PASSWORD = 'Sunrise-42x'
const NODES = ['first', 'second'] as const
/** Calls of an address that look up accounts, each minute. */
const LOOK_UPS = 60

/** A signal takes a quarter of a second at most; a busy machine may need longer. */
const NOTIFIED = { timeout: 20_000, interval: 20 }

/** What nodes exchange signals, locks and counters by. */
const WAYS = [
  { way: 'Redis', redis: () => redisUrl() },
  { way: 'the database', redis: async () => '' },
] as const

for (const { way, redis } of WAYS) {
  describe(`two servers on one MariaDB and one S3 bucket, with ${way} between them`, () => {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-nodes-'))
    const apps: App[] = []
    let bucket: TemporaryBucket
    let database: Database
    let users: UsersDeps
    let start: (node: string) => Promise<App>

    beforeAll(async () => {
      const url = await mariadbUrl()
      database = connectDatabase(url)
      const [first = '', second = ''] = NODES.map((node) => path.join(data, node))
      bucket = await keepFilesInBucket({ GODWIT_DATA: first, GODWIT_DATABASE_URL: url })
      // Every node opens the sealed secrets of the one database.
      fs.cpSync(path.join(first, 'keys'), path.join(second, 'keys'), { recursive: true })
      const redisAddress = await redis()
      start = (node) => {
        const environment = {
          ...{ GODWIT_DATA: path.join(data, node), GODWIT_DATABASE_URL: url, GODWIT_PORT: '0' },
          ...{ GODWIT_REDIS_URL: redisAddress, GODWIT_ADMIN_ACCOUNT: 'admin', GODWIT_ADMIN_PASSWORD: PASSWORD },
        }
        const { config } = loadConfig({ environment, flags: {}, readSecret: () => '' })
        return startApp({ config, log: createLog('silent'), web: undefined, documentation: undefined })
      }
      // One after the other: both would make the first administrator.
      for (const node of NODES) apps.push(await start(node))
      const ids = timeOrderedIds(systemClock, secureRandom)
      // As the operator's command has it: a process that shares nothing but the database.
      const bus = createBus(() => undefined)
      users = { db: database.db, clock: systemClock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
    })
    afterAll(async () => {
      for (const app of apps) await app.stop()
      await database.close()
      await bucket.store[Symbol.asyncDispose]()
      fs.rmSync(data, { recursive: true })
    })

    const url = (node: number): string => apps[node]?.url ?? ''
    const newAccount = async (account: string) => {
      await createUser(users, { account, email: `${account}@example.org`, password: PASSWORD })
      return (await signIn(url(0), account, PASSWORD)).token
    }
    const operate = (node: number, token: string, name: string, json: object) =>
      ask(url(node), { method: 'POST', path: `/api/files/${name}`, token, json })
    const names = async (node: number, token: string): Promise<string[]> => {
      const { data: listed } = await operate(node, token, 'list', { folder: '/' })
      return (listed as unknown as { readonly items: ReadonlyArray<{ name: string }> }).items.map(({ name }) => name)
    }
    const isKnown = async (node: number, token: string): Promise<boolean> =>
      (await operate(node, token, 'list', { folder: '/' })).code === 200
    const within = <T>(ms: number, work: Promise<T>): Promise<T | 'late'> =>
      Promise.race([work, pause(ms, 'late' as const, { ref: false })])

    it('end the sessions and sockets of an account that is locked, on both within 5 s', async () => {
      const token = await newAccount('locked')
      const sockets = [await signedInSocket(url(0), token), await signedInSocket(url(1), token)]
      const user = await usersStore.byAccountOrEmail(database.db, 'locked')
      if (user === undefined) throw new Error('no account')
      await setLocked(users, user, true)
      const closed = sockets.map((socket) => within(5_000, socket.closed))
      expect(await Promise.all(closed)).not.toContain('late')
      expect([await isKnown(0, token), await isKnown(1, token)]).toEqual([false, false])
    })

    it('end a session on the other one within a second when it signs out everywhere', async () => {
      const token = await newAccount('leaving')
      expect(await isKnown(1, token)).toBe(true)
      const socket = await signedInSocket(url(1), token)
      const left = await ask(url(0), { method: 'POST', path: '/api/user/logout/all', token, json: {} })
      expect(left.code).toBe(200)
      expect(await within(1_000, socket.closed)).not.toBe('late')
      expect(await isKnown(1, token)).toBe(false)
    })

    it('list what the other one changed, and notify their pages of it', async () => {
      const token = await newAccount('lister')
      await operate(0, token, 'mkdir', { folder: '/', name: 'first' })
      for (const node of [0, 1]) expect(await names(node, token)).toEqual(['first'])
      const pages = await Promise.all([0, 1].map((node) => signedInSocket(url(node), token)))
      for (const page of pages) {
        expect((await page.ask({ type: 'watch', folder: '/', spaceId: 1, groupId: 0 })).code).toBe(200)
      }
      const [here] = pages
      await operate(0, token, 'mkdir', { folder: '/', name: 'second' })
      await expect.poll(() => pages.every(({ events }) => events.length > 0), NOTIFIED).toBe(true)
      await expect.poll(() => names(1, token), NOTIFIED).toEqual(['first', 'second'])
      const before = here?.events.length ?? 0
      await operate(1, token, 'rename', { path: '/', oldName: 'second', newName: 'third' })
      await expect.poll(() => here?.events.length, NOTIFIED).toBeGreaterThan(before)
      await expect.poll(() => names(0, token), NOTIFIED).toEqual(['first', 'third'])
      for (const page of pages) page.socket.close()
    })

    it('take no new transfers within two seconds of a pause on the other one', async () => {
      const token = await newAccount('paused')
      const { token: admin } = await signIn(url(0), 'admin', PASSWORD)
      const control = (what: string) =>
        ask(url(0), { method: 'POST', path: `/api/admin/server/${what}`, token: admin, json: {} })
      const begin = async (node: number) => {
        const json = { folder: '/', filename: 'new.bin', size: 1, resume: false }
        return (await ask(url(node), { method: 'POST', path: '/api/uploads', token, json })).code
      }
      expect((await control('pause')).code).toBe(200)
      const { wire } = ERRORS.SERVER_PAUSED
      for (const node of [0, 1]) await expect.poll(() => begin(node), { timeout: 2_000, interval: 50 }).toBe(wire)
      await control('resume')
      await expect.poll(() => begin(1), NOTIFIED).toBe(200)
    })

    it('open tickets of the other one, of accounts and of guests, also after it was started anew', async () => {
      const token = await newAccount('sharer')
      await operate(0, token, 'mkdir', { folder: '/', name: 'shared' })
      const { data: made } = await ask(url(0), {
        ...{ method: 'POST', path: '/api/share/link/create', token },
        json: { shareUrlType: 1, shareServerPath: '/', shareFiles: ['shared'] },
      })
      const json = { url: made['linkId'] }
      const visit = (await ask(url(0), { method: 'POST', path: '/api/share/link/verify/url', json })).data['token']
      const guest = { method: 'POST', token: String(visit) }
      const tickets = [
        await operate(0, token, 'download', { paths: ['/shared'] }),
        await ask(url(0), { ...guest, path: '/api/share/visit/ticket', json: { paths: [] } }),
      ].map(({ code, text, data: issued }) => {
        expect(code, text).toBe(200)
        return String(issued['url'])
      })
      const statuses = (node: number) =>
        Promise.all(tickets.map(async (path) => (await fetch(url(node) + path)).status))
      expect(await statuses(1)).toEqual([200, 200])
      await apps[0]?.stop()
      apps[0] = await start('first')
      expect(await statuses(0)).toEqual([200, 200])
      // Signed out at one of them, and left at the other.
      await ask(url(1), { method: 'POST', path: '/api/user/logout/all', token, json: {} })
      await ask(url(0), { ...guest, path: '/api/share/visit/leave', json: {} })
      for (const node of [0, 1]) expect(await statuses(node)).toEqual([400, 400])
    })

    it('follow what an administrator sets on the other one', async () => {
      const { token } = await signIn(url(0), 'admin', PASSWORD)
      const title = async () => (await ask(url(1), { path: '/api/website/info' })).data['urlName']
      const from = await title()
      const json = { changes: [{ key: 'urlName', from, value: `By ${way}` }] }
      const path = '/api/admin/design/settings'
      expect((await ask(url(0), { method: 'PATCH', path, token, json })).code).toBe(200)
      await expect.poll(title, { timeout: 10_000, interval: 20 }).toBe(`By ${way}`)
    })

    it('take one of two names that differ in case only, whichever of them is asked', async () => {
      const token = await newAccount('clashing')
      for (let round = 0; round < 5; round++) {
        // Both know the folder, so that a clash is found only by what one has heard of the other.
        await Promise.all([names(0, token), names(1, token)])
        const made = [0, 1, 0, 1].map((node, at) =>
          operate(node, token, 'mkdir', { folder: '/', name: at % 2 === 0 ? `Report ${round}` : `report ${round}` }),
        )
        const codes = (await Promise.all(made)).map(({ code }) => code)
        expect(codes.filter((code) => code === 200)).toHaveLength(1)
        expect(codes).toContain(ERRORS.NAME_CASE_CLASH.wire)
      }
      expect(await names(0, token)).toHaveLength(5)
    })

    it('count the calls of both for a limit', async () => {
      const json = { action: 'get_account', email: 'nobody@example.org' }
      const codes: Array<number | undefined> = []
      for (let call = 0; call <= LOOK_UPS; call++) {
        codes.push((await ask(url(call % 2), { method: 'POST', path: '/api/legacy', json })).code)
      }
      expect(codes.slice(0, LOOK_UPS)).toEqual(codes.slice(0, LOOK_UPS).map(() => 200))
      expect(codes.at(-1)).toBe(ERRORS.RATE_LIMITED.wire)
    })
  })
}
