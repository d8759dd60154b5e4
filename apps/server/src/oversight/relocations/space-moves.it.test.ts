import fs from 'node:fs'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { errorByWire, type SpaceMoveView } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import { openBucket } from '@godwit/storage/testing'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { mariadbUrl, s3Access } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesBelow as filesIn } from '../../content/files/jobs/testing/two-storages.ts'
import { answerOtherNodes } from '../../foundation/installation/index.ts'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Database, Db } from '../../kernel/db/index.ts'
import { sqlSharedState, type SharedState } from '../../kernel/shared-state.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'
import { siteBlocker } from './blockers.ts'

interface Shown {
  readonly storages: ReadonlyArray<{ readonly id: number; readonly places: number }>
  readonly move: SpaceMoveView | null
  readonly switched: number
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** A server that was killed in the moment of running a job holds it for 30 s. */
const TAKEN_OVER_MS = 30_000 + BUSY_MS
/** Stands for the job of a node that is still stopping, which the next job waits for. */
const BLOCKER = 'job-that-stops'

const MOVES = [
  { name: 'a folder', url: () => Promise.resolve(undefined), toBucket: false },
  { name: 'a bucket, on mysql', url: mariadbUrl, toBucket: true },
] as const

describe.each(MOVES)('a space that moves to $name from the console', ({ url, toBucket }) => {
  let site: Site
  let env: Readonly<Record<string, string>> = {}
  let bucket: ObjectStore | undefined
  let server: Godwit
  let admin = ''
  let deputy = ''
  let mei = ''
  let [archive, other] = [0, 0]
  const folder = (name: string): string => path.join(`${site.data}-storages`, name)

  beforeAll(async () => {
    const databaseUrl = await url()
    if (databaseUrl !== undefined) env = { GODWIT_DATABASE_URL: databaseUrl }
    site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
    server = site.godwit
    admin = (await site.signIn('admin')).token
    await site.addUser('deputy')
    await administer(site, 'deputy', ['spaces.view', 'spaces.edit', 'storages.view'])
    deputy = (await site.signIn('deputy')).token
    await site.addUser('mei')
    mei = (await site.signIn('mei')).token
    fs.mkdirSync(folder(''), { recursive: true })
    archive = await (toBucket ? addBucket() : addFolder('archive'))
    other = await addFolder('other')
    await site.upload(mei, 'one.txt', Buffer.from('one'))
    await site.upload(mei, 'big.bin', Buffer.alloc(3_000_000, 7))
    await site.upload(mei, 'empty.txt', Buffer.alloc(0))
  }, 120_000)
  afterAll(async () => {
    await server.end('SIGTERM')
    await bucket?.[Symbol.asyncDispose]()
    fs.rmSync(folder(''), { recursive: true, force: true })
    await site[Symbol.asyncDispose]()
  })

  const send = async (method: string, below: string, json?: object, token = admin) => {
    const given = json === undefined ? {} : { json }
    const answer = await site.ask({ method, path: `/api/admin/spaces/${below}`, token, ...given })
    return { ...answer, name: errorByWire(answer.code ?? 0) }
  }
  const addFolder = (name: string) => addStorage({ name, kind: 'local', settings: { folder: folder(name) } })
  async function addBucket(): Promise<number> {
    const { endpoint, accessKeyId, secretAccessKey: secret } = await s3Access()
    const opened = await openBucket({ endpoint, accessKeyId, secretAccessKey: secret })
    bucket = opened.store
    const place = { endpoint, region: 'us-east-1', bucket: opened.name, prefix: 'files', accessKeyId }
    const settings = { ...place, pathStyle: true, conditionalWrites: false }
    return addStorage({ name: 'archive', kind: 's3-compatible', settings, secret })
  }
  async function addStorage(json: object): Promise<number> {
    const { data } = await site.ask({ method: 'POST', path: '/api/admin/storages', token: admin, json })
    return (data['storage'] as unknown as { id: number }).id
  }
  const shown = async (spaceId = 1) => (await send('GET', `${spaceId}/move`)).data as unknown as Shown
  const move = async (spaceId = 1) => (await shown(spaceId)).move
  const begin = (storageId: number, token = admin) => send('POST', '1/move', { storageId }, token)
  async function untilOver(spaceId = 1): Promise<void> {
    await expect.poll(async () => (await move(spaceId))?.state, { timeout: TAKEN_OVER_MS }).not.toBe('working')
  }
  async function copies(): Promise<Map<string, string>> {
    if (bucket === undefined) return filesBelow(folder('archive'), path.join(folder('archive'), 'users'))
    return new Map([...(await filesIn(bucket, 'users'))].map(([key, content]) => [key, content.toString('base64')]))
  }
  const originals = () => filesBelow(path.join(site.data, 'files'), path.join(site.data, 'files', 'users'))

  /** Jobs of the space wait from now on until {@link unblock}. */
  async function block(spaceId = 1): Promise<void> {
    await site.withDatabase(async ({ db }) => {
      const now = Date.now()
      await db
        .insertInto('jobs')
        .values({
          ...{ id: BLOCKER, kind: 'space.move', owner_id: 'nobody', state: 'running', payload: '{}', progress: '{}' },
          ...{ cancel_requested: 0, lease_owner: 'another node', lease_until: now + 3_600_000, attempts: 1, run_at: 0 },
          ...{ deadline_at: now + 3_600_000, error: '', created_at: now, updated_at: now },
        })
        .execute()
      await db.updateTable('space_moves').set({ job_id: BLOCKER }).where('space_id', '=', spaceId).execute()
    })
  }
  const unblock = () => site.withDatabase(({ db }) => db.deleteFrom('jobs').where('id', '=', BLOCKER).execute())

  it('refuses what cannot be done, each with its code', async () => {
    expect(await send('GET', '99/move')).toMatchObject({ name: 'SPACE_NOT_FOUND' })
    expect(await begin(99)).toMatchObject({ name: 'STORAGE_NOT_FOUND' })
    expect(await begin(1)).toMatchObject({ name: 'SPACE_MOVE_NEEDLESS' })
    expect(await begin(archive, deputy)).toMatchObject({ name: 'PERMISSION_DENIED' })
    for (const what of ['pause', 'switch', 'cancel', 'free'])
      expect(await send('POST', `1/move/${what}`)).toMatchObject({ name: 'SPACE_MOVE_MISSING' })
    expect(await move()).toBeNull()
  })

  it('is not begun where it has no room', async () => {
    const huge = path.join(site.home('mei'), 'huge.bin')
    const { blocks, bsize } = fs.statfsSync(folder(''))
    fs.writeFileSync(huge, '')
    // A hole takes no room here, and more than the whole disk there.
    fs.truncateSync(huge, blocks * bsize + 1)
    expect(await begin(other)).toMatchObject({ code: 200 })
    await untilOver()
    expect(await move()).toMatchObject({ storageId: other, state: 'failed', error: 'SPACE_MOVE_NO_ROOM' })
    expect(filesBelow(folder('other'), path.join(folder('other'), 'users')).size).toBe(0)
    fs.rmSync(huge)
  })

  it('is copied while people work, and what they change is copied when it begins again', async () => {
    expect(await begin(archive)).toMatchObject({ code: 200 })
    await untilOver()
    expect(await move()).toMatchObject({
      ...{ storageId: archive, task: 'copy', state: 'done', error: '' },
      progress: { files: 3, filesDone: 3, bytes: 3_000_003, bytesDone: 3_000_003, changed: 0, corrupt: [] },
    })
    expect(await copies()).toEqual(originals())
    await site.upload(mei, 'two.txt', Buffer.from('two'))
    await site.call(mei, 'remove', { paths: ['/one.txt'] })
    expect(await begin(archive)).toMatchObject({ code: 200 })
    await untilOver()
    expect(await copies()).toEqual(originals())
    expect((await shown()).storages).toContainEqual({ id: 1, name: 'Local', places: 1 })
  })

  it('is one job at a time, is paused and goes on, also after the server was killed', async () => {
    await site.upload(mei, 'three.txt', Buffer.from('three'))
    await block()
    const both = await Promise.all([begin(archive), begin(archive)])
    expect(both.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(both.find(({ code }) => code !== 200)).toMatchObject({ name: 'SPACE_MOVE_UNDER_WAY' })
    expect(await begin(other)).toMatchObject({ name: 'SPACE_MOVE_UNDER_WAY' })
    expect(await site.cli(`space move 1 --to ${archive}`)).not.toBe(0)
    expect(site.printed()).toContain('[6212]')
    expect(await send('POST', '1/move/pause')).toMatchObject({ code: 200 })
    expect(await move()).toMatchObject({ state: 'paused' })
    expect(await send('POST', '1/move/pause')).toMatchObject({ name: 'SPACE_MOVE_MISSING' })
    expect(await begin(other)).toMatchObject({ name: 'SPACE_MOVE_UNSETTLED' })
    expect(await removeStorage(archive)).toMatchObject({ name: 'STORAGE_IN_USE' })

    await unblock()
    await block()
    expect(await begin(archive)).toMatchObject({ code: 200 })
    await server.end('SIGKILL')
    await unblock()
    await start()
    await untilOver()
    expect(await move()).toMatchObject({ state: 'done' })
    expect(await copies()).toEqual(originals())
  })

  it('names the file whose bytes are not what was stored', async () => {
    await site.upload(mei, 'damaged.txt', Buffer.from('right'))
    await site.withDatabase(async ({ db }) => {
      const damaged = db.updateTable('file_hashes').set({ hash: '0'.repeat(64) })
      await damaged.where('storage_key', 'like', '%/damaged.txt').execute()
    })
    await begin(archive)
    await untilOver()
    expect(await move()).toMatchObject({
      ...{ state: 'failed', error: 'FILE_CORRUPT' },
      progress: { corrupt: [{ keeper: 'mei', path: '/damaged.txt' }] },
    })
    await site.call(mei, 'remove', { paths: ['/damaged.txt'] })
    const { data } = await site.ask({ method: 'POST', path: '/api/files/recycled', token: mei, json: {} })
    const recycleIds = (data['items'] as unknown as ReadonlyArray<{ recycleId: string }>).map(
      ({ recycleId }) => recycleId,
    )
    await site.call(mei, 'purge', { recycleIds })
  })

  it('ends with a space that is removed, and leaves the storage free', async () => {
    const spare = await addFolder('spare')
    const json = { name: 'Short-lived', storageIds: [1], defaultStorageId: 1 }
    await site.ask({ method: 'POST', path: '/api/admin/spaces', token: admin, json })
    const spaceId = Number(await site.withDatabase(async ({ db }) => (await idOf(db)) ?? 0))
    await send('POST', `${spaceId}/members`, { accounts: ['mei'] })
    await site.call(mei, 'mkdir', { spaceId, folder: '/', name: 'plans' })
    expect(await send('POST', `${spaceId}/move`, { storageId: spare })).toMatchObject({ code: 200 })
    await untilOver(spaceId)
    expect(await move(spaceId)).toMatchObject({ state: 'done' })
    expect(await rowsOf(spaceId)).toEqual({ space_moves: 1, place_moves: 1, place_copies: 2 })
    expect(await removeStorage(spare)).toMatchObject({ name: 'STORAGE_IN_USE' })

    await block(spaceId)
    expect(await send('POST', 'remove', { spaceId })).toMatchObject({ name: 'SPACE_MOVE_UNDER_WAY' })
    await unblock()
    expect(await send('POST', 'remove', { spaceId })).toMatchObject({ code: 200 })
    expect(await rowsOf(spaceId)).toEqual({ space_moves: 0, place_moves: 0, place_copies: 0 })
    expect(await removeStorage(spare)).toMatchObject({ code: 200 })
  })

  const isPaused = async () => (await site.ask({ path: '/api/website/info' })).data['isPaused']
  /** The server is away in between. */
  const untilSwitched = async () => {
    const state = () =>
      move().then(
        (found) => found?.state,
        () => 'away',
      )
    await expect.poll(state, { timeout: BUSY_MS }).not.toMatch(/^(?:working|away)$/)
  }

  it('is given up without a trace', async () => {
    const before = originals()
    expect(await send('POST', '1/move/cancel')).toMatchObject({ code: 200 })
    await untilOver()
    expect(await move()).toMatchObject({ task: 'cancel', state: 'done' })
    expect(originals()).toEqual(before)
    expect((await copies()).size).toBe(0)
  })

  it('is not switched while another server runs, or by who may not', async () => {
    expect(await send('POST', '1/move/switch')).toMatchObject({ name: 'SPACE_MOVE_MISSING' })
    await begin(archive)
    await untilOver()
    expect(await send('POST', '1/move/switch', {}, deputy)).toMatchObject({ name: 'PERMISSION_DENIED' })
    if (!toBucket) return
    await site.withDatabase(async (database) => {
      await using other = await otherServer(database)
      other.bus.publish('node.present', { host: 'other', pid: 1, isAnswer: false })
      expect(await send('POST', '1/move/switch')).toMatchObject({ code: 200 })
      await untilOver()
    })
    expect(await move()).toMatchObject({ task: 'switch', state: 'failed', error: 'SPACE_MOVE_OTHER_NODES' })
    expect(await isPaused()).toBe(false)
  })

  it('stays where it is while an upload has not ended, and the server takes everything again', async () => {
    const before = originals()
    const json = { folder: '/', filename: 'half.bin', size: 10 }
    const upload = await site.ask({ method: 'POST', path: '/api/uploads', token: mei, json })
    expect(await send('POST', '1/move/switch')).toMatchObject({ code: 200 })
    const both = await Promise.all([send('POST', '1/move/switch'), send('POST', '1/move/cancel'), begin(other)])
    expect(both.map(({ name }) => name)).toEqual(Array(3).fill('SPACE_MOVE_UNDER_WAY'))
    await untilSwitched()
    expect(await shown()).toMatchObject({
      ...{ switched: 0, move: { task: 'switch', state: 'failed', error: 'SPACE_MOVE_WAITS' } },
    })
    expect(originals()).toEqual(before)
    await expect.poll(isPaused, { timeout: BUSY_MS }).toBe(false)
    const { uploadId } = upload.data as unknown as { readonly uploadId: string }
    await site.ask({ method: 'DELETE', path: `/api/uploads/${uploadId}`, token: mei })
  })

  it('is switched by a restart that the console orders, with what was changed since, and freed', async () => {
    await site.upload(mei, 'late.txt', Buffer.from('late'))
    const before = originals()
    expect(await send('POST', '1/move/switch')).toMatchObject({ code: 200 })
    await untilSwitched()
    expect(await shown()).toMatchObject({ switched: 1, move: { task: 'switch', state: 'done', error: '' } })
    await expect.poll(isPaused, { timeout: BUSY_MS }).toBe(false)
    expect(await copies()).toEqual(before)
    expect(await begin(other)).toMatchObject({ name: 'SPACE_MOVE_UNSETTLED' })
    expect(await send('POST', '1/move/free')).toMatchObject({ code: 200 })
    await untilOver()
    expect(await shown()).toMatchObject({
      switched: 0,
      move: { task: 'free', state: 'done', progress: { changed: 0 } },
    })
    expect(originals().size).toBe(0)
    expect(await copies()).toEqual(before)
    const log = await site.ask({ path: '/api/admin/log/operations?size=50', token: admin })
    const done = (log.data['rows'] as unknown as ReadonlyArray<{ operation: string }>).map(({ operation }) => operation)
    expect(done).toEqual(
      expect.arrayContaining([
        'space.copy',
        'space.copy-pause',
        'space.copy-cancel',
        'space.switch',
        'space.copy-free',
      ]),
    )
  })

  it('is switched by the command, or by the next start when the server was killed after the order', async () => {
    const before = await copies()
    expect(await begin(1)).toMatchObject({ code: 200 })
    await untilOver()
    const blocker = () => site.withDatabase(({ db }) => siteBlocker(db))
    await expect.poll(blocker, { timeout: BUSY_MS }).toBeUndefined()
    await server.end('SIGKILL')
    if (toBucket) expect(await site.cli('space move 1 --to 1 --switch')).toBe(0)
    else
      await site.withDatabase(({ db }) =>
        db.updateTable('space_moves').set({ task: 'switch', state: 'ordered', paused_server: 1 }).execute(),
      )
    await start()
    expect(await shown()).toMatchObject({ switched: 1, move: { state: 'done' } })
    expect(originals()).toEqual(before)
    expect((await site.ask({ path: `/api/files/content?path=/late.txt`, token: mei })).text).toBe('late')
  })

  const idOf = async (db: Db) =>
    (await db.selectFrom('spaces').select('id').where('name', '=', 'Short-lived').executeTakeFirst())?.id
  const rowsOf = (spaceId: number) =>
    site.withDatabase(async ({ db }) => {
      const counts: Record<string, number> = {}
      for (const table of ['space_moves', 'place_moves', 'place_copies'] as const)
        counts[table] = (await db.selectFrom(table).select('space_id').where('space_id', '=', spaceId).execute()).length
      return counts
    })
  const removeStorage = async (storageId: number) => {
    const answer = await site.ask({
      method: 'POST',
      path: '/api/admin/storages/remove',
      token: admin,
      json: { storageId },
    })
    return { ...answer, name: errorByWire(answer.code ?? 0) }
  }
  /** Starts the server again, at the same address. */
  async function start(): Promise<void> {
    server = await launchGodwit({ env, data: site.data, port: Number(new URL(site.url).port) })
  }
})

/** A second server, as far as others notice it. */
async function otherServer(database: Database): Promise<SharedState & AsyncDisposable> {
  const shared = sqlSharedState({ clock: systemClock, random: secureRandom, log: SILENT }, database)
  await shared.bus.start()
  answerOtherNodes({ bus: shared.bus, log: SILENT, hasRedis: true })
  return { ...shared, [Symbol.asyncDispose]: () => shared.stop() }
}

/** Content by path, without what the product keeps for itself. */
function filesBelow(root: string, top: string): Map<string, string> {
  const found = new Map<string, string>()
  if (!fs.existsSync(top)) return found
  for (const entry of fs.readdirSync(top, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    found.set(path.relative(root, file), fs.readFileSync(file).toString('base64'))
  }
  return found
}
