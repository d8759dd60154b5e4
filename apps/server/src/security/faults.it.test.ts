import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB, secureRandom, systemClock } from '@godwit/base'
import { allRoutes, fileOperations } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClientAddresses } from '../edge/http/client-address.ts'
import { SUPER_STANDING_RIGHTS, type Standing } from '../identity/administrators/standing.policy.ts'
import { createContextFactory } from '../edge/http/context.ts'
import { startHttpServer } from '../edge/http/server.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { createRequestMemory } from '../kernel/request-memory.ts'
import { doors } from './testing/doors.ts'
import { flipBit, manyUploads, roundTrip } from './testing/campaigns.ts'
import { openSite, type Site } from './testing/sites.ts'
import { ask, type Login } from './testing/wire.ts'
import { userPrincipal } from '../testing/principals.ts'

let site: Site
let admin: Login

beforeAll(async () => {
  site = await openSite({ env: { GODWIT_UPLOAD_PART_BYTES: String(MiB) } })
  admin = await site.signIn('admin')
})
afterAll(async () => site[Symbol.asyncDispose]())

describe('many uploads at once (row 16)', () => {
  it('50 of 8 MiB by tus end hash-equal, without an error, within 600 MiB', async ({ annotate }) => {
    const run = await manyUploads(site, admin.token, 50)
    await annotate(
      `50 uploads of 8 MiB: at most ${Math.round(run.mostMiB)} MiB, others' p99 ${Math.round(run.others99Ms)} ms`,
    )
    expect(run.notEqual).toBe(0)
    expect(run.serverErrors).toBe(0)
    expect(run.mostMiB).toBeLessThan(600)
  })
})

describe('sizes (row 22)', () => {
  it.each([0, 1, MiB - 1, MiB, MiB + 1, 5 * MiB + 3])('%i bytes come back as they went', async (size) => {
    const run = await roundTrip(site, admin.token, size)
    expect(run.downloaded).toBe(run.uploaded)
    expect(fs.statSync(path.join(site.home('admin'), `size-${size}`)).size).toBe(size)
  })
})

describe('bits that change in silence (row 21)', () => {
  it('are found by godwit verify --all in every stored file, and nothing else is', async () => {
    await using own = await openSite()
    const { token } = await own.signIn('admin')
    for (let at = 0; at < 20; at++) await own.upload(token, `f${at}`, Buffer.alloc(1000 + at * 100_000, at))
    expect(await own.cli('verify --all')).toBe(0)
    expect(own.printed()).toMatch(
      /20 files, .* 20 with a noted hash, 0 without, 0 changed from outside\n20 read back and intact/,
    )
    const home = own.home('admin')
    for (const at of [0, 7, 19]) flipBit(path.join(home, `f${at}`), 8 * (500 + at) + (at % 8))
    expect(await own.cli('verify')).toBe(0)
    expect(await own.cli('verify --all')).toBe(1)
    for (let at = 0; at < 20; at++)
      expect(own.printed().includes(`damaged     users/admin/f${at}:`)).toBe([0, 7, 19].includes(at))
  })

  it('in flight are refused, and the upload goes on with the right bytes', async () => {
    const json = { folder: '/', filename: 'flight', size: 1000, resume: false }
    const { data } = await site.ask({ method: 'POST', path: '/api/uploads', token: admin.token, json })
    const at = `/api/uploads/${String(data['uploadId'])}`
    const good = Buffer.alloc(1000, 3)
    const first = await site.ask({ method: 'PUT', path: `${at}/parts/0`, token: admin.token, body: good })
    const hash = String(first.data['hash'])
    for (let bit = 0; bit < 64; bit++) {
      const bad = Buffer.from(good)
      bad[bit * 15] = (bad[bit * 15] ?? 0) ^ (1 << (bit % 8))
      const answer = await site.ask({
        method: 'PUT',
        path: `${at}/parts/0`,
        token: admin.token,
        body: bad,
        headers: { 'x-part-hash': hash },
      })
      expect(answer.code).not.toBe(200)
    }
    await site.ask({
      method: 'PUT',
      path: `${at}/parts/0`,
      token: admin.token,
      body: good,
      headers: { 'x-part-hash': hash },
    })
    expect((await site.ask({ method: 'POST', path: `${at}/complete`, token: admin.token, json: {} })).code).toBe(200)
    expect(fs.readFileSync(path.join(site.home('admin'), 'flight'))).toEqual(good)
  })
})

describe('godwit verify', () => {
  it('names missing bytes, orphans and files that came from outside', async () => {
    await using own = await openSite()
    const { token } = await own.signIn('admin')
    await own.upload(token, 'a', Buffer.from('a'))
    await own.call(token, 'remove', { paths: ['/a'] })
    const begun = await own.ask({
      method: 'POST',
      path: '/api/uploads',
      token,
      json: { folder: '/', filename: 'b', size: 3 * MiB },
    })
    await own.ask({
      method: 'PUT',
      path: `/api/uploads/${String(begun.data['uploadId'])}/parts/0`,
      token,
      body: Buffer.alloc(3 * MiB),
    })
    fs.mkdirSync(path.join(own.data, 'files/users/ghost'), { recursive: true })
    fs.writeFileSync(path.join(own.data, 'files/users/ghost/g'), 'from outside')
    expect(await own.cli('verify')).toBe(0)
    expect(own.printed()).toContain('orphan   users/ghost: no account has this folder')
    expect(own.printed()).toContain('1 with a noted hash, 1 without')
    fs.rmSync(path.join(own.data, 'files/.godwit/parts'), { recursive: true })
    const bins = fs.readdirSync(path.join(own.data, 'files'), { recursive: true, encoding: 'utf8' })
    for (const bin of bins.filter((name) => /\.godwit-recycle$/.test(name))) {
      fs.rmSync(path.join(own.data, 'files', bin), { recursive: true })
    }
    expect(await own.cli('verify')).toBe(1)
    expect(own.printed()).toMatch(/missing {5}[0-9a-f]{32}: the bytes of the unfinished upload to \/b/)
    expect(own.printed()).toMatch(/missing {5}\S+: recycled from \/a/)
  })

  it('tells what is missing from what was changed outside, wherever it was moved to', async () => {
    await using own = await openSite()
    const { token } = await own.signIn('admin')
    for (const folder of ['kept', 'gone', 'target']) await own.call(token, 'mkdir', { folder: '/', name: folder })
    for (const name of ['a', 'b', 'c']) {
      for (const folder of ['/kept', '/gone']) await own.upload(token, name, Buffer.from(`${folder} ${name}`), folder)
    }
    await own.cli('space add Laboratory')
    await own.cli('space assign --space 2 --account admin')
    const frame = Buffer.from('{"relativePath":"lab","size":3}')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(frame.length)
    const lab = { method: 'POST', path: '/api/uploads/pack?folder=%2F&spaceId=2', token }
    await sleep(1_100)
    expect((await own.ask({ ...lab, body: Buffer.concat([length, frame, Buffer.from('lab')]) })).code).toBe(200)
    await own.upload(token, 'purged', Buffer.from('purged'))
    await own.upload(token, 'replaced', Buffer.from('old'))
    await own.upload(token, 'replaced', Buffer.from('new'))
    await own.call(token, 'rename', { path: '/', oldName: 'kept', newName: 'renamed' })
    await own.call(token, 'move', { paths: ['/renamed', '/gone'], target: '/target' })
    const removed = await own.call(token, 'remove', { paths: ['/target/gone', '/purged'] })
    const [goneId, purgedId] = removed.data['recycleIds'] as unknown as string[]
    await own.call(token, 'restore', { recycleIds: [goneId] })
    await own.call(token, 'purge', { recycleIds: [purgedId] })
    expect(await own.cli('verify --all')).toBe(0)
    expect(own.printed()).toContain('8 with a noted hash, 0 without, 0 changed from outside\n8 read back')

    const home = own.home('admin')
    fs.appendFileSync(path.join(home, 'target/renamed/a'), ' and more')
    fs.renameSync(path.join(home, 'target/renamed/b'), path.join(home, 'moved from outside'))
    fs.utimesSync(path.join(home, 'target/renamed/c'), 1, 1)
    fs.rmSync(path.join(home, 'target/gone/c'))
    const before = own.printed().length
    expect(await own.cli('verify --all')).toBe(1)
    const told = own.printed().slice(before)
    expect(told).toContain('6 with a noted hash, 0 without, 1 changed from outside\n6 read back and intact')
    expect(told).toContain('changed  users/admin/target/renamed/a: written to from outside')
    expect(told).toContain('missing     users/admin/target/gone/c: a stored file that is nowhere any more')
    expect(told).toMatch(/\n1 problems\./)
  })
})

describe('handlers that fail in the middle (row 28)', () => {
  it('with the database away, every door answers its generic error and the process goes on', async () => {
    await using own = await openSite()
    const { token } = await own.signIn('admin')
    const tables = ['users', 'sessions', 'uploads', 'jobs', 'quotas', 'recycle_items', 'sign_in_failures']
    const rename = (suffix: [string, string]) =>
      own.withDatabase(async ({ db }) => {
        for (const table of tables)
          await db.schema
            .alterTable(table + suffix[0])
            .renameTo(table + suffix[1])
            .execute()
      })
    await rename(['', '_away'])
    const codes = new Set<number | undefined>()
    for (let round = 0; round < 2; round++) {
      for (const { question } of doors()) {
        const answer = await own.ask({ ...question, token })
        codes.add(answer.code)
        expect(answer.text).not.toMatch(/no such table|sqlite|\.ts:/i)
      }
    }
    expect(codes.has(5009)).toBe(true)
    await rename(['_away', ''])
    expect((await own.call(token, 'list', { folder: '/' })).code).toBe(200)
  })

  /** What a bug may throw. */
  const FAULTS: Readonly<Record<string, () => unknown>> = {
    'an error': () => new Error('a secret of the program'),
    'a text': () => 'a secret of the program',
    nothing: () => undefined,
    'an object that cannot be told': () => ({
      get message(): string {
        throw new Error('a secret of the program')
      },
    }),
    'an error with a cycle': () => {
      const error: Error & { self?: Error } = new Error('a secret of the program')
      error.self = error
      return error
    },
  }

  const SUPER: Standing = {
    kind: 'super',
    role: null,
    rights: SUPER_STANDING_RIGHTS,
    auditScope: 'all',
    folderScope: 'all',
    spaceIds: [],
    groupIds: [],
  }

  it.each(Object.keys(FAULTS))(
    '%s thrown by every handler there is: 500 with the generic code, logged with its request',
    async (kind) => {
      const logged: Array<Readonly<Record<string, unknown>>> = []
      const log = {
        info: () => {},
        warn: () => {},
        error: (fields: Readonly<Record<string, unknown>>) => void logged.push(fields),
      }
      const handle = async (): Promise<never> => {
        await Promise.resolve()
        throw FAULTS[kind]?.()
      }
      const principal = userPrincipal({ isAdmin: true, sessionId: 's', standing: SUPER })
      const addresses = createClientAddresses([])
      const authenticator = { authenticate: () => Promise.resolve(principal) }
      const isRaw = (raw: unknown): boolean => raw !== undefined
      const server = await startHttpServer({
        host: '127.0.0.1',
        port: 0,
        clock: systemClock,
        endpoints: allRoutes()
          .filter(({ spec }) => !isRaw(spec.raw))
          .map(({ spec }) => ({ spec, handle })),
        rawEndpoints: allRoutes()
          .filter(({ spec }) => isRaw(spec.raw))
          .map(({ spec }) => ({ spec, handle })),
        operations: Object.values(fileOperations)
          .filter(({ name }) => name !== 'list')
          .map((spec) => ({ spec, handle })),
        contextOf: createContextFactory({ authenticator, random: secureRandom, addresses }),
        addresses,
        memory: createRequestMemory(128 * MiB),
        metrics: createMetrics(),
        licence: { requireFeature: () => Promise.resolve() },
        usesNodeInternals: true,
        connections: { total: 1_000, perAddress: 1_000 },
        allowedOrigins: [],
        log,
        plugins: [],
        onUpgrade: (_request, socket) => socket.destroy(),
      })
      for (const { name, question } of doors()) {
        if (/^(tus|webdav|plain)\./.test(name) || name === 'files.list') continue
        const answer = await ask(server.url, { ...question, token: 't' })
        expect([name, answer.status]).toEqual([name, 500])
        if (question.method !== 'HEAD') expect(answer.code).toBe(5009)
        expect(answer.text).not.toContain('secret of the program')
      }
      expect(logged.length).toBeGreaterThan(30)
      expect(logged.every(({ requestId }) => typeof requestId === 'string' && requestId.length === 16)).toBe(true)
      await server.close(0)
    },
  )
})
