import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storages } from '../../foundation/storages/index.ts'
import { createUser } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { createLog } from '../../kernel/log.ts'
import { createQueue, type Queue } from '../../kernel/queue/index.ts'
import { patientQueue } from '../../testing/patient-queue.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { callerCtx, openWorld, type World, openWorldStorages } from '../../testing/worlds.ts'
import { compileRules, type RuleTexts } from './rules.ts'
import { walkSelection } from '../downloads/downloads.selection.ts'
import { placeOf, requireEntry } from './index.ts'
import { attributes } from '../files/files.attributes.ts'
import { columns, list } from '../files/files.list.ts'
import { exists, makeFolder, rename } from '../files/files.service.ts'
import { createFiles, fileJobs, type FilesDeps } from '../files/index.ts'
import { startTransfer } from '../files/jobs/start-transfer.ts'
import { targetResolver } from '../intake/index.ts'
import { createQuotas, hashAt } from '../quotas/index.ts'
import { rememberHashes } from '../quotas/file-hashes.store.ts'
import type { RecycleDeps } from '../recycle/recycle.deps.ts'
import { bookRecycleSteps, recycleJobs } from '../recycle/recycle.operations.ts'
import { recyclePlaces } from '../recycle/recycle.place.ts'
import { startPurge } from '../recycle/recycle.purge.ts'
import { startRestore } from '../recycle/recycle.restore.ts'
import { listRecycled, startRemove } from '../recycle/recycle.service.ts'

const PLACE = { spaceId: 1, groupId: 0 }
const refused = (code: string) => expect.objectContaining({ code }) as Error

describe('the rules of an account, at every door of its files', () => {
  let world: World
  let storages: Storages
  let queue: Queue
  let deps: RecycleDeps
  let files: FilesDeps
  let ctx: UserCtx
  let rules: readonly RuleTexts[]

  beforeEach(async () => {
    world = await openWorld()
    const { clock, bus, ids, database } = world
    const { db } = database
    const log = createLog('silent')
    rules = []
    storages = await openWorldStorages(world)
    queue = createQueue({ database, clock, random: secureRandom, ids, bus, log })
    const users = { db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' as const }
    const alice = await createUser(users, { account: 'alice', email: '', password: 'Sunrise-42x' })
    const principal = userPrincipal({ id: alice.id, home: alice.home })
    ctx = { ...callerCtx(), principal }
    files = createFiles({ ...world, storages, db, log, rulesOf: () => rules.map(compileRules) })
    const quotas = createQuotas({ db, dialect: database.dialect, defaultBytes: 0 })
    deps = {
      ...{ files, db, quotas, ids },
      queue: patientQueue(queue, () => world.clock.advance(60_000)),
      keptDays: 30,
      principalOf: (job) => Promise.resolve({ ...principal, kind: 'job', jobId: job.id }),
    }
    files.access.place('recycle', recyclePlaces(db))
    bookRecycleSteps(deps)
    queue.handle({ ...recycleJobs(deps), ...fileJobs(deps) })
    queue.start()
    for (const folder of ['b/sub', 'c', 'd']) fs.mkdirSync(home(folder), { recursive: true })
    for (const file of ['b/x.KEY', 'b/y.txt', 'b/sub/z.key', 'c/w.key', 'c/v.txt', 'd/only.txt']) {
      fs.writeFileSync(home(file), 'ten bytes.')
    }
  })
  afterEach(async () => {
    await queue.stop()
    await storages.close()
    await world[Symbol.asyncDispose]()
  })

  const home = (...parts: string[]) => path.join(world.folder, 'files', 'users', 'alice', ...parts)
  const open = (where: string, need: 'list' | 'download') => files.access.open(ctx, placeOf(PLACE), where, need)
  const listed = async (folder: string, limit = 100) => {
    const request = { ...PLACE, folder, limit, orderBy: 'name', order: 'asc', cursor: null } as const
    return { ...(await columns(files, ctx, request)), items: (await list(files, ctx, request)).items }
  }
  const transfer = async (kind: 'copy' | 'move', from: string, target: string) =>
    (
      await startTransfer(deps, ctx, {
        kind,
        request: { ...PLACE, paths: [from], target, conflict: 'fail' },
      })
    ).job

  it('a forbidden entry is in no list, count or size', async () => {
    rules = [{ forbiddenPaths: ['*.key'] }]
    const page = await listed('/b')
    expect([page.names, page.total]).toEqual([['sub', 'y.txt'], 2])
    expect(page.items.map(({ name }) => name)).toEqual(['sub', 'y.txt'])
    const { items } = await attributes(files, ctx, { ...PLACE, paths: ['/b'] })
    expect(items).toMatchObject([{ size: 10, file_count: 1, folder_count: 1 }])
    expect((await exists(files, ctx, { ...PLACE, paths: ['/b/x.KEY', '/b/none', '/b/y.txt'] })).items).toHaveLength(1)
  })

  it('a list with forbidden entries has whole pages, in both directions', async () => {
    rules = [{ forbiddenPaths: ['/c/*0'] }]
    for (let at = 0; at < 40; at++) fs.writeFileSync(home(`c/${String(at).padStart(2, '0')}`), 'x'.repeat(at))
    for (const order of ['asc', 'desc'] as const) {
      for (const orderBy of ['name', 'size'] as const) {
        const names: string[] = []
        let cursor: string | null = null
        do {
          const request = { ...PLACE, folder: '/c', limit: 7, orderBy, order, cursor }
          const page: Awaited<ReturnType<typeof columns>> = await columns(files, ctx, request)
          expect(page.total).toBe(38)
          names.push(...page.names)
          cursor = page.next
        } while (cursor !== null)
        expect(names).toHaveLength(38)
        expect(names.filter((name) => name.endsWith('0'))).toEqual([])
      }
    }
  })

  it('a hidden path and a missing one get the same answer', async () => {
    rules = [{ forbiddenPaths: ['/b/x.key'] }]
    const errorOf = async (where: string) =>
      open(where, 'download')
        .then(requireEntry)
        .catch((thrown: unknown) => thrown)
    const hidden = (await errorOf('/b/x.KEY')) as Error
    expect(hidden).toMatchObject({ code: 'PATH_NOT_FOUND', details: { name: 'x.KEY' } })
    expect(await errorOf('/b/X.key')).toMatchObject({ code: 'PATH_NOT_FOUND', details: { name: 'X.key' } })
    expect(await errorOf('/b/none')).toMatchObject({ code: 'PATH_NOT_FOUND', details: { name: 'none' } })
    await expect(startRemove(deps, ctx, { ...PLACE, paths: ['/b/x.KEY'] })).rejects.toThrow(refused('PATH_NOT_FOUND'))
    await expect(transfer('copy', '/b/x.KEY', '/d')).rejects.toThrow(refused('PATH_NOT_FOUND'))
  })

  it('nothing comes to be under a forbidden name, whether something is there or not', async () => {
    rules = [{ forbiddenPaths: ['*.key'] }]
    for (const name of ['x.key', 'new.key']) {
      await expect(makeFolder(files, ctx, { ...PLACE, folder: '/b', name })).rejects.toMatchObject({
        ...{ code: 'PERMISSION_DENIED', details: { permission: 'mkdir' } },
      })
      const request = { ...PLACE, path: '/b', oldName: 'y.txt', newName: name }
      await expect(rename(files, ctx, request)).rejects.toMatchObject({ details: { permission: 'rename' } })
      const resolve = targetResolver(files, ctx, { ...PLACE, folder: '/b' })
      await expect(resolve({ filename: name })).rejects.toMatchObject({ details: { permission: 'upload' } })
    }
  })

  it.each([
    ['an anchored pattern', '/b/*.key', '/b'],
    ['a look below', 'z.key', '/b'],
    ['a look below, deeper', 'z.key', '/b/sub'],
  ])(
    'a folder that holds forbidden entries, by %s, is neither moved, renamed nor deleted',
    async (_how, pattern, at) => {
      rules = [{ forbiddenPaths: [pattern] }]
      const [parent, name] = [path.posix.dirname(at), path.posix.basename(at)]
      const renamed = rename(files, ctx, { ...PLACE, path: parent, oldName: name, newName: 'other' })
      await expect(renamed).rejects.toMatchObject({ code: 'PERMISSION_DENIED', details: { permission: 'rename' } })
      await expect(startRemove(deps, ctx, { ...PLACE, paths: [at] })).rejects.toThrow(refused('PERMISSION_DENIED'))
      expect((await transfer('move', at, '/d')).failures).toMatchObject([{ path: at, code: 1008 }])
      expect(fs.existsSync(home(at))).toBe(true)
      expect((await startRemove(deps, ctx, { ...PLACE, paths: ['/d'] })).job.state).toBe('completed')
    },
  )

  it('a copy leaves forbidden entries out, and a zip too', async () => {
    rules = [{ forbiddenPaths: ['*.key'] }]
    expect((await transfer('copy', '/b', '/d')).state).toBe('completed')
    expect(new Set(fs.readdirSync(home('d/b'), { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(['sub', 'y.txt']),
    )
    const selected = [await requireEntry(await open('/', 'download'))]
    const leftOut: string[] = []
    const walk = { signal: ctx.signal, onLeftOut: (folder: string) => void leftOut.push(folder) }
    const names = (await Array.fromAsync(walkSelection(selected, walk))).map(({ name }) => name)
    expect(names.filter((name) => name.toLowerCase().endsWith('.key'))).toEqual([])
    expect(names).toContain('files/b/y.txt')
    expect(leftOut).toEqual([])
  })

  it('nothing in a folder becomes forbidden by a copy, a move or a rename of it', async () => {
    rules = [{ forbiddenPaths: ['/d/**/y*', '/e/v*', 'f/v.txt'] }]
    const copied = await transfer('copy', '/b', '/d')
    expect(copied.failures).toMatchObject([{ path: '/b/y.txt', code: 1008 }])
    expect(fs.readdirSync(home('d/b')).toSorted()).toEqual(['sub', 'x.KEY'])
    for (const newName of ['e', 'f']) {
      const renamed = rename(files, ctx, { ...PLACE, path: '/', oldName: 'c', newName })
      await expect(renamed).rejects.toMatchObject({ code: 'PERMISSION_DENIED', details: { permission: 'rename' } })
    }
    fs.mkdirSync(home('g/sub'), { recursive: true })
    fs.writeFileSync(home('g/sub/y.txt'), '')
    expect((await transfer('move', '/g', '/d')).failures).toMatchObject([{ path: '/g', code: 1008 }])
    expect((await transfer('move', '/g', '/b')).state).toBe('completed')
    expect(fs.existsSync(home('b/g/sub/y.txt'))).toBe(true)
  })

  it('a copy of a folder reports each file of a type that may not be, and does the rest', async () => {
    rules = [{ deniedTypes: ['key'] }]
    const job = await transfer('copy', '/b', '/d')
    expect(Object.fromEntries(job.failures.map((failure) => [failure.path, failure.code]))).toEqual({
      '/b/sub/z.key': 5120,
      '/b/x.KEY': 5120,
    })
    expect(new Set(fs.readdirSync(home('d/b'), { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(['sub', 'y.txt']),
    )
  })

  it('a move under another name brings no type that may not be, and one under its own name is free', async () => {
    rules = [{ deniedTypes: ['key'] }]
    const bring = async (kind: 'copy' | 'move', from: string, as?: string) => {
      const request = { ...PLACE, paths: [from], target: '/d', conflict: 'fail', ...(as && { as }) } as const
      const { job } = await startTransfer(deps, ctx, { kind, request })
      return job.failures.map(({ code }) => code)
    }
    for (const kind of ['copy', 'move'] as const) expect(await bring(kind, '/b/y.txt', 'y.key'), kind).toEqual([5120])
    expect(await bring('move', '/b/sub/z.key', 'other.key')).toEqual([5120])
    expect(fs.readdirSync(home('d'))).toEqual(['only.txt'])
    expect(await bring('move', '/c/w.key')).toEqual([])
    expect(await bring('move', '/b/x.KEY', 'x.txt')).toEqual([])
    expect(await bring('move', '/b', 'b.key')).toEqual([])
    expect(fs.readdirSync(home('d'), { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      ...['b.key', 'b.key/sub', 'b.key/sub/z.key', 'b.key/y.txt', 'only.txt', 'w.key', 'x.txt'],
    ])
  })

  it('allowed paths show only the way to them', async () => {
    rules = [{ allowedPaths: ['/b/sub', '/c/v.txt'] }]
    fs.writeFileSync(home('b/sub.txt'), '')
    expect((await listed('/')).names).toEqual(['b', 'c'])
    expect((await listed('/b')).names).toEqual(['sub'])
    expect((await listed('/c')).names).toEqual(['v.txt'])
    await expect(listed('/d')).rejects.toThrow(refused('PATH_NOT_FOUND'))
    await expect(startRemove(deps, ctx, { ...PLACE, paths: ['/b'] })).rejects.toThrow(refused('PERMISSION_DENIED'))
    expect((await startRemove(deps, ctx, { ...PLACE, paths: ['/b/sub'] })).job.state).toBe('completed')
  })

  it('upload-new-only replaces, renames, moves, restores over and deletes nothing', async () => {
    rules = [{ uploadNewOnly: true }]
    const denied = refused('PERMISSION_DENIED')
    await expect(startRemove(deps, ctx, { ...PLACE, paths: ['/d/only.txt'] })).rejects.toThrow(denied)
    await expect(transfer('move', '/d/only.txt', '/c')).rejects.toThrow(denied)
    await expect(rename(files, ctx, { ...PLACE, path: '/d', oldName: 'only.txt', newName: 'o' })).rejects.toThrow(
      denied,
    )
    await expect(startPurge(deps, ctx, { ...PLACE, recycleIds: 'all' })).rejects.toThrow(denied)
    fs.writeFileSync(home('c/only.txt'), 'other')
    const request = { ...PLACE, paths: ['/d/only.txt'], target: '/c', conflict: 'replace' } as const
    const { job } = await startTransfer(deps, ctx, { kind: 'copy', request })
    expect(job.failures).toMatchObject([{ code: 1008 }])
    expect(fs.readFileSync(home('c/only.txt'), 'utf8')).toBe('other')
    expect((await transfer('copy', '/d/only.txt', '/b')).state).toBe('completed')
  })

  it('what became forbidden after it was deleted is in no bin, and does not come back', async () => {
    const { recycleIds } = await startRemove(deps, ctx, { ...PLACE, paths: ['/b/x.KEY', '/c/v.txt'] })
    rules = [{ forbiddenPaths: ['*.key'] }]
    expect((await listRecycled(deps, ctx, { ...PLACE, limit: 1 })).items.map(({ name }) => name)).toEqual(['v.txt'])
    const restored = startRestore(deps, ctx, { ...PLACE, recycleIds, conflict: 'fail' })
    await expect(restored).rejects.toThrow(refused('RECYCLE_ITEM_NOT_FOUND'))
    await startPurge(deps, ctx, { ...PLACE, recycleIds: 'all' })
    rules = []
    expect((await listRecycled(deps, ctx, { ...PLACE, limit: 9 })).items.map(({ name }) => name)).toEqual(['x.KEY'])
    const [key = ''] = recycleIds
    const { job } = await startRestore(deps, ctx, { ...PLACE, recycleIds: [key], conflict: 'fail' })
    expect([job.state, fs.existsSync(home('b/x.KEY'))]).toEqual(['completed', true])
  })

  it('one path that is missing fails alone, for attributes and for remove', async () => {
    const paths = ['/none', '/c/v.txt', '/d']
    const found = await attributes(files, ctx, { ...PLACE, paths })
    expect(found.items.map((item) => item.path)).toEqual(['/c/v.txt', '/d'])
    expect(found.failures).toMatchObject([{ path: '/none', code: 5100 }])
    const { job, recycleIds } = await startRemove(deps, ctx, { ...PLACE, paths })
    expect(job).toMatchObject({ state: 'failed', doneFiles: 2, failures: [{ path: '/none', code: 5100 }] })
    expect(recycleIds).toHaveLength(2)
    await expect(attributes(files, ctx, { ...PLACE, paths: ['/none'] })).rejects.toThrow(refused('PATH_NOT_FOUND'))
    await expect(startRemove(deps, ctx, { ...PLACE, paths: ['/none'] })).rejects.toThrow(refused('PATH_NOT_FOUND'))
  })

  it('a copy keeps the recorded hashes of what has not changed since', async () => {
    const { db } = deps
    const noteOf = async (file: string) => {
      const key = `users/alice/${file}`
      const { entry } = await requireEntry(await open(`/${file}`, 'list'))
      return { spaceId: 1, key, etag: entry.etag, hash: `hash of ${file}` }
    }
    await rememberHashes(db, world.clock, [
      await noteOf('b/y.txt'),
      await noteOf('b/sub/z.key'),
      await noteOf('d/only.txt'),
    ])
    fs.writeFileSync(home('b/sub/z.key'), 'other bytes, by another program')
    await transfer('copy', '/b', '/d')
    await transfer('copy', '/d/only.txt', '/c')
    const hashOf = async (key: string) => hashAt(db, { spaceIds: [1], key: `users/alice/${key}` })
    const copied = await requireEntry(await open('/d/b/y.txt', 'list'))
    expect(await hashOf('d/b/y.txt')).toEqual({ spaceId: 1, etag: copied.entry.etag, hash: 'hash of b/y.txt' })
    expect(await hashOf('c/only.txt')).toMatchObject({ hash: 'hash of d/only.txt' })
    expect(await hashOf('d/b/sub/z.key')).toBeUndefined()
  })

  it('a job of an API token never does more than the token may', async () => {
    const { account } = userPrincipal({ home: 'users/alice', permission: 512 | 128, cap: 512 | 128 })
    const token = { kind: 'api-token', id: ctx.principal.id, apiTokenId: 't', account } as const
    fs.writeFileSync(home('c/only.txt'), 'other')
    const request = { ...PLACE, paths: ['/d/only.txt'], target: '/c', conflict: 'replace' } as const
    const { job } = await startTransfer(deps, { ...ctx, principal: token }, { kind: 'copy', request })
    expect(job.failures).toMatchObject([{ code: 1008 }])
    expect(fs.readFileSync(home('c/only.txt'), 'utf8')).toBe('other')
  })
})
