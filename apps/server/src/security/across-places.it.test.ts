import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from './testing/sites.ts'
import type { Login } from './testing/wire.ts'

const GROUP = 1
const QUOTA_BYTES = 2 ** 20

describe('moving and copying between personal files and the library of a group', () => {
  let site: Site
  let mei: Login
  const member = (permission: string) =>
    site.cli(`group member --group ${GROUP} --account mei --permission ${permission}`)
  const ALL = 'list,download,upload,delete,mkdir,rename,move,copy'

  beforeAll(async () => {
    site = await openSite()
    await site.addUser('mei')
    await site.cli('group add Design --quota 1M')
    await member(ALL)
    mei = await site.signIn('mei')
  })
  beforeEach(async () => {
    await member(ALL)
    await rules(null)
    for (const folder of [site.home('mei'), library()]) fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(path.join(library(), 'in'), { recursive: true })
    fs.mkdirSync(site.home('mei'), { recursive: true })
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const library = (...parts: string[]) => path.join(site.data, `files/groups/${GROUP}`, ...parts)
  const upload = async (filename: string, folder = '/', content: Buffer = Buffer.from('ten bytes.')) => {
    const json = {
      folder: '/',
      relativePath: path.posix.join(folder, filename).slice(1),
      filename,
      size: content.length,
    }
    const created = await site.ask({ method: 'POST', path: '/api/uploads', token: mei.token, json })
    const address = `/api/uploads/${String(created.data['uploadId'])}`
    await site.ask({ method: 'PUT', path: `${address}/parts/0`, token: mei.token, body: content })
    return site.ask({ method: 'POST', path: `${address}/complete`, token: mei.token, json: {} })
  }
  const toGroup = (operation: 'move' | 'copy', paths: readonly string[], conflict = 'fail') =>
    site.runJob(mei.token, operation, { paths: [...paths], target: '/in', targetGroupId: GROUP, conflict })
  const rules = (texts: object | null) =>
    site.withDatabase(({ db }) =>
      db
        .updateTable('users')
        .set({ file_rules: texts && JSON.stringify(texts) })
        .where('account', '=', 'mei')
        .execute(),
    )
  const filesIn = (folder: string) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => path.extname(name) !== '')
      .toSorted()
  const used = async () => {
    const info = await site.ask({ path: '/api/user/info', token: mei.token })
    const user = info.data['user'] as unknown as {
      readonly usedBytes: number
      readonly groupList: ReadonlyArray<{ readonly usedBytes: number }>
    }
    return { own: user.usedBytes, group: user.groupList[0]?.usedBytes ?? 0 }
  }

  it('brings a tree whole, and books its bytes to where it is', async () => {
    for (const [name, folder] of [
      ['a', '/tree'],
      ['b', '/tree/deep'],
      ['alone', '/'],
    ] as const)
      await upload(name, folder)
    const before = await used()
    expect((await toGroup('copy', ['/alone'])).job).toMatchObject({ state: 'completed', failures: [] })
    expect(await used()).toEqual({ own: before.own, group: before.group + 10 })
    expect((await toGroup('move', ['/tree'])).job).toMatchObject({ state: 'completed', failures: [] })
    expect(fs.readdirSync(library('in'), { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'alone',
      'tree',
      'tree/a',
      'tree/deep',
      'tree/deep/b',
    ])
    expect(fs.readdirSync(site.home('mei'))).toEqual(['alone'])
    expect(await used()).toEqual({ own: before.own - 20, group: before.group + 30 })
    const back = { groupId: GROUP, targetGroupId: 0, paths: ['/in/tree'], target: '/' }
    expect((await site.runJob(mei.token, 'move', back)).job).toMatchObject({ state: 'completed', failures: [] })
    expect(await used()).toEqual({ own: before.own, group: before.group + 10 })
    expect(fs.existsSync(path.join(site.home('mei'), 'tree/deep/b'))).toBe(true)
  })

  it('keeps the checksum of a file, until somebody else changes it', async () => {
    await upload('sum')
    const hashOf = async (file: string, groupId = 0) => {
      const { data } = await site.call(mei.token, 'attributes', { paths: [file], groupId })
      return (data['items'] as unknown as ReadonlyArray<{ readonly hash?: string }>)[0]?.hash
    }
    const hash = await hashOf('/sum')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    await toGroup('move', ['/sum'])
    expect(await hashOf('/in/sum', GROUP)).toBe(hash)
    fs.writeFileSync(library('in/sum'), 'changed')
    expect(await hashOf('/in/sum', GROUP)).toBeUndefined()
  })

  it('needs the rights of both sides: to take out there, to bring in here', async () => {
    await upload('mine')
    fs.writeFileSync(library('theirs'), 'theirs')
    const out = (operation: 'move' | 'copy') =>
      site.runJob(mei.token, operation, { groupId: GROUP, targetGroupId: 0, paths: ['/theirs'], target: '/' })
    await member('list,move,copy,upload')
    expect((await out('copy')).code).toBe(1008)
    await member('list,download,move,copy')
    expect((await out('move')).code).toBe(1008)
    expect((await toGroup('copy', ['/mine'])).code).toBe(1008)
    expect((await toGroup('move', ['/mine'])).code).toBe(1008)
    expect(fs.readdirSync(library()).toSorted()).toEqual(['in', 'theirs'])
    // A right of the account is none in the library, and the other way round.
    await member('list,download,copy')
    expect((await out('copy')).job).toMatchObject({ state: 'completed' })
    expect(fs.readFileSync(path.join(site.home('mei'), 'theirs'), 'utf8')).toBe('theirs')
    const stranger = { paths: ['/mine'], target: '/', targetGroupId: 77 }
    expect((await site.call(mei.token, 'move', stranger)).code).toBe(6040)
  })

  it('asks about a taken name as everywhere, and stays within the quota of the target', async () => {
    await upload('same')
    fs.writeFileSync(library('in/same'), 'older')
    expect((await toGroup('move', ['/same'])).code).toBe(5101)
    expect((await toGroup('copy', ['/same'], 'keep-both')).job).toMatchObject({ state: 'completed' })
    expect(fs.readdirSync(library('in')).toSorted()).toEqual(['same', 'same (1)'])
    expect((await toGroup('move', ['/same'], 'replace')).job).toMatchObject({ state: 'completed' })
    expect(fs.readFileSync(library('in/same'), 'utf8')).toBe('ten bytes.')
    await upload('big', '/', Buffer.alloc(QUOTA_BYTES))
    const { job } = await toGroup('move', ['/big'])
    expect(job?.failures[0]).toMatchObject({ path: '/big', code: 5210 })
    expect(fs.existsSync(path.join(site.home('mei'), 'big'))).toBe(true)
  })

  it('leaves a folder that holds forbidden entries where it is, whole', async () => {
    for (const name of ['a.txt', 'deep/secret.key']) await upload(path.basename(name), `/proj/${path.dirname(name)}`)
    await rules({ forbiddenPaths: ['*.key'] })
    const there = path.join(site.home('mei'), 'there')
    fs.mkdirSync(path.join(there, 'proj'), { recursive: true })
    const within = { target: '/there', targetGroupId: 0 }
    for (const to of [
      { target: '/in', targetGroupId: GROUP },
      { ...within, conflict: 'keep-both' },
      { ...within, conflict: 'replace' },
      { ...within, conflict: 'skip' },
    ]) {
      const { job } = await site.runJob(mei.token, 'move', { paths: ['/proj'], ...to })
      expect(job?.failures, JSON.stringify(to)).toEqual([expect.objectContaining({ path: '/proj', code: 1008 })])
      expect(filesIn(path.join(site.home('mei'), 'proj'))).toEqual(['a.txt', 'deep/secret.key'])
    }
    expect([...filesIn(library()), ...filesIn(there)]).toEqual([])
    // A copy leaves out what is forbidden.
    expect((await toGroup('copy', ['/proj'])).job).toMatchObject({ state: 'completed', failures: [] })
    expect(filesIn(library('in'))).toEqual(['proj/a.txt'])
  })

  it('brings nothing of a folder that is beyond the quota, where each file is asked for its type too', async () => {
    await rules({ deniedTypes: ['exe'] })
    const large = ['a.bin', 'b.bin', 'c.bin']
    for (const name of large) await upload(name, '/large', Buffer.alloc(500_000))
    for (const operation of ['move', 'copy'] as const) {
      const { job } = await toGroup(operation, ['/large'])
      expect(job?.failures, operation).toEqual([expect.objectContaining({ path: '/large', code: 5210 })])
      expect(fs.readdirSync(library('in')), operation).toEqual([])
      expect(filesIn(path.join(site.home('mei'), 'large')), operation).toEqual(large)
    }
    // What is refused for its type takes no space.
    for (const name of ['d.bin', 'e.bin']) await upload(name, '/small', Buffer.alloc(300_000))
    fs.writeFileSync(path.join(site.home('mei'), 'small', 'f.exe'), Buffer.alloc(500_000))
    const { job } = await toGroup('move', ['/small'])
    expect(job?.failures).toEqual([expect.objectContaining({ path: '/small/f.exe', code: 5120 })])
    expect(filesIn(library('in'))).toEqual(['small/d.bin', 'small/e.bin'])
    const inside = { groupId: GROUP, paths: ['/in/small'], target: '/', targetGroupId: GROUP }
    expect((await site.runJob(mei.token, 'copy', inside)).job?.failures).toMatchObject([{ code: 5210 }])
    expect(fs.readdirSync(library())).toEqual(['in'])
  })

  it('goes on with what is missing of a folder that is there already', async () => {
    await rules({ deniedTypes: ['exe'] })
    const { group } = await used()
    const half = Buffer.alloc(Math.floor((QUOTA_BYTES - group) / 2) - 100)
    await upload('a.bin', '/half', half)
    expect((await toGroup('copy', ['/half'])).job).toMatchObject({ state: 'completed' })
    await upload('b.bin', '/half', half)
    expect((await toGroup('copy', ['/half'], 'skip')).job).toMatchObject({ state: 'completed', failures: [] })
    expect(filesIn(library('in'))).toEqual(['half/a.bin', 'half/b.bin'])
  })
})
