import fs from 'node:fs'
import path from 'node:path'
import { errorByWire, type SpaceMoveView } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'
import { siteBlocker } from './blockers.ts'

interface Shown {
  readonly storages: ReadonlyArray<{ readonly id: number; readonly places: number }>
  readonly move: SpaceMoveView | null
  readonly switched: number
}

/** Stands for the job of a node that is still stopping, which the next job waits for. */
const BLOCKER = 'job-that-stops'

describe('a space that moves to another storage from the console', () => {
  let site: Site
  let server: Godwit
  let admin = ''
  let deputy = ''
  let mei = ''
  let [archive, other] = [0, 0]
  const folder = (name: string): string => path.join(`${site.data}-storages`, name)

  beforeAll(async () => {
    site = await openSite()
    server = site.godwit
    admin = (await site.signIn('admin')).token
    await site.addUser('deputy')
    await administer(site, 'deputy', ['spaces.view', 'spaces.edit', 'storages.view'])
    deputy = (await site.signIn('deputy')).token
    await site.addUser('mei')
    mei = (await site.signIn('mei')).token
    fs.mkdirSync(folder(''), { recursive: true })
    archive = await addFolder('archive')
    other = await addFolder('other')
    await site.upload(mei, 'one.txt', Buffer.from('one'))
    await site.upload(mei, 'big.bin', Buffer.alloc(3_000_000, 7))
    await site.upload(mei, 'empty.txt', Buffer.alloc(0))
  }, 120_000)
  afterAll(async () => {
    await server.end('SIGTERM')
    fs.rmSync(folder(''), { recursive: true, force: true })
    await site[Symbol.asyncDispose]()
  })

  const send = async (method: string, below: string, json?: object, token = admin) => {
    const given = json === undefined ? {} : { json }
    const answer = await site.ask({ method, path: `/api/admin/spaces/${below}`, token, ...given })
    return { ...answer, name: errorByWire(answer.code ?? 0) }
  }
  async function addFolder(name: string): Promise<number> {
    const json = { name, kind: 'local', settings: { folder: folder(name) } }
    const { data } = await site.ask({ method: 'POST', path: '/api/admin/storages', token: admin, json })
    return (data['storage'] as unknown as { id: number }).id
  }
  const shown = async () => (await send('GET', '1/move')).data as unknown as Shown
  const move = async () => (await shown()).move
  const begin = (storageId: number, token = admin) => send('POST', '1/move', { storageId }, token)
  async function untilOver(): Promise<void> {
    await expect.poll(async () => (await move())?.state, { timeout: BUSY_MS }).not.toBe('working')
  }
  const copies = () => filesBelow(folder('archive'), path.join(folder('archive'), 'users'))
  const originals = () => filesBelow(path.join(site.data, 'files'), path.join(site.data, 'files', 'users'))

  /** Jobs of the space wait from now on until {@link unblock}. */
  async function block(): Promise<void> {
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
      await db.updateTable('space_moves').set({ job_id: BLOCKER }).where('space_id', '=', 1).execute()
    })
  }
  const unblock = () => site.withDatabase(({ db }) => db.deleteFrom('jobs').where('id', '=', BLOCKER).execute())

  it('refuses what cannot be done, each with its code', async () => {
    expect(await send('GET', '99/move')).toMatchObject({ name: 'SPACE_NOT_FOUND' })
    expect(await begin(99)).toMatchObject({ name: 'STORAGE_NOT_FOUND' })
    expect(await begin(1)).toMatchObject({ name: 'SPACE_MOVE_NEEDLESS' })
    expect(await begin(archive, deputy)).toMatchObject({ name: 'PERMISSION_DENIED' })
    for (const what of ['pause', 'cancel', 'free'])
      expect(await send('POST', `1/move/${what}`)).toMatchObject({ name: 'SPACE_MOVE_MISSING' })
    expect(await move()).toBeNull()
  })

  it('is copied while people work, and what they change is copied when it begins again', async () => {
    expect(await begin(archive)).toMatchObject({ code: 200 })
    await untilOver()
    expect(await move()).toMatchObject({
      ...{ storageId: archive, task: 'copy', state: 'done', error: '' },
      progress: { files: 3, filesDone: 3, bytes: 3_000_003, bytesDone: 3_000_003, changed: 0, corrupt: [] },
    })
    expect(copies()).toEqual(originals())
    await site.upload(mei, 'two.txt', Buffer.from('two'))
    await site.call(mei, 'remove', { paths: ['/one.txt'] })
    expect(await begin(archive)).toMatchObject({ code: 200 })
    await untilOver()
    expect(copies()).toEqual(originals())
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
    expect(copies()).toEqual(originals())
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

  it('is given up without a trace, or switched by the command and freed', async () => {
    const before = originals()
    expect(await send('POST', '1/move/cancel')).toMatchObject({ code: 200 })
    await untilOver()
    expect(await move()).toMatchObject({ task: 'cancel', state: 'done' })
    expect(originals()).toEqual(before)
    expect(copies().size).toBe(0)

    await begin(archive)
    await untilOver()
    expect(await move()).toMatchObject({ state: 'done' })
    const blocker = () => site.withDatabase(({ db }) => siteBlocker(db))
    await expect.poll(blocker, { timeout: BUSY_MS }).toBeUndefined()
    await server.end('SIGTERM')
    expect(await site.cli(`space move 1 --to ${archive} --switch`)).toBe(0)
    await start()
    expect(await shown()).toMatchObject({ switched: 1 })
    expect(copies()).toEqual(before)
    expect(await begin(other)).toMatchObject({ name: 'SPACE_MOVE_UNSETTLED' })
    expect(await send('POST', '1/move/free')).toMatchObject({ code: 200 })
    await untilOver()
    expect(await shown()).toMatchObject({
      switched: 0,
      move: { task: 'free', state: 'done', progress: { changed: 0 } },
    })
    expect(originals().size).toBe(0)
    expect(copies()).toEqual(before)
    const log = await site.ask({ path: '/api/admin/log/operations?size=50', token: admin })
    const done = (log.data['rows'] as unknown as ReadonlyArray<{ operation: string }>).map(({ operation }) => operation)
    expect(done).toEqual(
      expect.arrayContaining(['space.copy', 'space.copy-pause', 'space.copy-cancel', 'space.copy-free']),
    )
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
    server = await launchGodwit({ data: site.data, port: Number(new URL(site.url).port) })
  }
})

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
