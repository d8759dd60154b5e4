import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { encodePassword } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from './kernel/db/index.ts'
import { ask, type Answer } from './security/testing/wire.ts'
import { mayMount, mountLoopDisk, type LoopDisk } from './testing/loop-disks.ts'

const run = promisify(execFile)
const CONTENT = Buffer.from('content')
/** A purge is tried of each once. */
const RECYCLED = ['one', 'two', 'three', 'four', 'five', 'six']

const FULL = 4009
const READ_ONLY = 4010
const UNREACHABLE = 4011
const NOT_OURS = 5320

// One server and one disk for all states; the last one is mended by a new mount only.
describe.runIf(mayMount)('a server in trouble with its disk [mounts a disk]', () => {
  let disk: LoopDisk
  let server: Godwit
  let token: string
  let recycleIds: string[]

  beforeAll(async () => {
    disk = await mountLoopDisk(64)
    const data = path.join(disk.folder, 'data')
    server = await launchGodwit({ data, flags: ['--storage-reserve-bytes', '0'] })
    token = String((await signIn()).data['token'])
    for (const name of ['kept', ...RECYCLED]) await upload(name)
    recycleIds = (await call('remove', { paths: RECYCLED.map((name) => `/${name}`) })).data['recycleIds'] ?? []
  }, 60_000)
  afterAll(async () => {
    await server.end('SIGKILL')
    await disk[Symbol.asyncDispose]()
  })

  const post = (where: string, json: object): Promise<Answer> =>
    ask(server.url, { method: 'POST', path: where, token, json })
  const call = (operation: string, json: object): Promise<Answer> => post(`/api/files/${operation}`, json)
  const signIn = (): Promise<Answer> => {
    const { account, password } = server.administrator
    const json = { account, password: encodePassword(password) }
    return ask(server.url, { method: 'POST', path: '/api/user/login', json })
  }
  const upload = async (filename: string): Promise<Answer> => {
    const created = await post('/api/uploads', { folder: '/', filename, size: CONTENT.length, resume: false })
    if (created.code !== 200) return created
    const at = `/api/uploads/${String(created.data['uploadId'])}`
    const part = await ask(server.url, { method: 'PUT', path: `${at}/parts/0`, token, body: CONTENT })
    return part.code === 200 ? post(`${at}/complete`, {}) : part
  }
  /** What `/readyz` names, by part. */
  const unready = async (): Promise<Record<string, number>> => {
    const { status, text } = await ask(server.url, { path: '/readyz' })
    const { reasons } = JSON.parse(text) as { readonly reasons: Record<string, { readonly code: number }> }
    const codes = Object.entries(reasons).map(([part, { code }]) => [part, code] as const)
    expect(status).toBe(codes.length === 0 ? 200 : 503)
    return Object.fromEntries(codes)
  }
  /** HTTP status and code of what people do all day. */
  const daysWork = async (): Promise<Record<string, string>> => {
    const answers = {
      signIn: await signIn(),
      list: await call('list', { folder: '/' }),
      mkdir: await call('mkdir', { folder: '/', name: 'folder' }),
      upload: await upload('new'),
      remove: await call('remove', { paths: ['/kept'] }),
      purge: await call('purge', { recycleIds: recycleIds.splice(0, 1) }),
      recycled: await call('recycled', {}),
    }
    return Object.fromEntries(Object.entries(answers).map(([name, { status, code }]) => [name, `${status} ${code}`]))
  }
  /** Room that the log of the database has of earlier writes would take some more on a full disk. */
  const shrinkLog = async (): Promise<void> => {
    const database = connectDatabase(`sqlite:${path.join(server.data, 'godwit.db')}`)
    await sql`pragma wal_checkpoint(truncate)`.execute(database.db)
    await database.close()
  }
  /** Nothing was lost, and nothing counts as deleted that is there. */
  const expectAllThere = async (): Promise<void> => {
    expect(await unready()).toEqual({})
    const { items } = (await call('list', { folder: '/' })).data as unknown as {
      readonly items: Array<{ name: string }>
    }
    expect(items.map(({ name }) => name)).toEqual(['kept'])
    const database = connectDatabase(`sqlite:${path.join(server.data, 'godwit.db')}`)
    const rows = await database.db.selectFrom('recycle_items').select('storage_key').execute()
    await database.close()
    expect(rows).toHaveLength(RECYCLED.length)
    for (const row of rows) expect(fs.readFileSync(path.join(server.data, 'files', row.storage_key))).toEqual(CONTENT)
  }

  it('reports a full disk, reads from it, and goes on when there is space again', async () => {
    const log = path.join(server.data, 'godwit.db-wal')
    const fillers = ['64k', '1k'].map((block) => ({ block, file: path.join(disk.folder, `filler-${block}`) }))
    // What the server still had to do may write into the log before the disk is full.
    do {
      for (const { file } of fillers) fs.rmSync(file, { force: true })
      await shrinkLog()
      // Blocks that were freed may be used again only once the filesystem has written that down.
      await run('sync', ['-f', disk.folder])
      for (const { block, file } of fillers)
        await expect(run('dd', ['if=/dev/zero', `of=${file}`, `bs=${block}`])).rejects.toThrow('No space left')
    } while (fs.statSync(log).size > 0)
    const full = `507 ${FULL}`
    expect(await daysWork()).toEqual({
      ...{ signIn: full, list: '200 200', mkdir: full, upload: full, remove: full, purge: full, recycled: '200 200' },
    })
    expect(await unready()).toEqual({ data: FULL, storage: FULL })
    for (const { file } of fillers) fs.rmSync(file)
    await expectAllThere()
  })

  it.each(['missing', 'not mounted'])('reports a files folder that is %s, and deletes nothing', async (state) => {
    const files = path.join(server.data, 'files')
    fs.renameSync(files, `${files}-away`)
    if (state === 'not mounted') fs.mkdirSync(files)
    // Before anybody has noticed.
    const purged = await call('purge', { recycleIds: recycleIds.splice(0, 1) })
    expect(purged.data['job']).toMatchObject({ state: 'failed', doneFiles: 0 })
    expect(await unready()).toEqual({ storage: NOT_OURS })
    const away = `503 ${UNREACHABLE}`
    expect(await daysWork()).toMatchObject({
      ...{ signIn: '200 200', list: away, mkdir: away, upload: away, remove: away, recycled: '200 200' },
    })
    if (state === 'not mounted') expect(fs.readdirSync(files)).toEqual([])
    fs.rmSync(files, { recursive: true, force: true })
    fs.renameSync(`${files}-away`, files)
    await expectAllThere()
  })

  it('reports a data folder that is missing', async () => {
    fs.renameSync(server.data, `${server.data}-away`)
    expect(await unready()).toMatchObject({ data: UNREACHABLE })
    fs.renameSync(`${server.data}-away`, server.data)
    await expectAllThere()
  })

  it('reports a disk that the kernel made read-only, and reads from it', async () => {
    await run('mount', ['-o', 'remount,abort', disk.folder])
    expect(await unready()).toMatchObject({ data: READ_ONLY, storage: READ_ONLY })
    const work = await daysWork()
    expect(work).toMatchObject({
      list: '200 200',
      upload: `503 ${READ_ONLY}`,
      recycled: '200 200',
    })
    // These write into the database first, which reports an aborted disk as a failed write.
    for (const name of ['signIn', 'mkdir', 'remove', 'purge']) expect(work[name], name).toMatch(/^503 /)
  })
})
