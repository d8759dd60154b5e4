import fs from 'node:fs'
import path from 'node:path'
import type { JobView } from '@godwit/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Login } from '../../security/testing/wire.ts'

let site: Site
let mei: Login
let lin: Login
let top = ''
let made = 0

const on = (name: string): string => path.join(site.home('mei'), top, name)
const at = (name: string): string => `${top}/${name}`
const read = (name: string): string | undefined =>
  fs.existsSync(on(name)) ? fs.readFileSync(on(name), 'utf8') : undefined

async function put(name: string, content = name): Promise<void> {
  const [folder, file] = [path.posix.dirname(at(name)), path.posix.basename(name)]
  expect((await site.upload(mei.token, file, Buffer.from(content), folder)).code).toBe(200)
}

async function mkdir(name: string): Promise<void> {
  const [folder, base] = [path.posix.dirname(at(name)), path.posix.basename(name)]
  expect((await site.call(mei.token, 'mkdir', { folder, name: base })).code).toBe(200)
}

async function transfer(kind: 'copy' | 'move', names: readonly string[], more: object = {}): Promise<JobView> {
  const input = { paths: names.map(at), target: at('to'), ...more }
  const { job } = await site.runJob(mei.token, kind, input)
  if (job === undefined) throw new Error('no job')
  return job
}

async function undo({ jobId }: JobView) {
  const { code, job } = await site.runJob(mei.token, 'undo', { jobId })
  return { code, state: job?.state, failed: job?.failures.map(({ path: one, code: why }) => [one, why]) }
}

async function keepVersions(count: number): Promise<void> {
  expect(await site.cli(`settings set versions.keep ${count}`)).toBe(0)
  const limit = async () => (await site.call(mei.token, 'versions', { path: at('a.txt') })).data['limit']
  await expect.poll(limit).toBe(count)
}

const DONE = { code: 200, state: 'completed', failed: [] }
const changed = (name: string) => ({ code: 200, state: 'failed', failed: [[at(name), 5115]] })
const usage = async () => (await site.call(mei.token, 'usage', {})).data

beforeAll(async () => {
  site = await openSite()
  for (const account of ['mei', 'lin']) await site.addUser(account)
  mei = await site.signIn('mei')
  lin = await site.signIn('lin')
})
afterAll(async () => site[Symbol.asyncDispose]())
beforeEach(async () => {
  top = ''
  await mkdir(`case-${++made}`)
  top = `/case-${made}`
  await mkdir('to')
  await put('a.txt')
  await mkdir('box')
  await put('box/inner.txt')
})

describe('an undone copy', () => {
  it('is in the recycle bin, and what it was copied from stands where it stood', async () => {
    const before = await usage()
    const job = await transfer('copy', ['a.txt', 'box'])
    expect(job.canUndo).toBe(true)
    expect([read('to/a.txt'), read('to/box/inner.txt')]).toEqual(['a.txt', 'box/inner.txt'])
    expect(await undo(job)).toEqual(DONE)
    expect(fs.readdirSync(on('to'))).toEqual([])
    expect([read('a.txt'), read('box/inner.txt')]).toEqual(['a.txt', 'box/inner.txt'])
    const { data } = await site.call(mei.token, 'recycled', {})
    const recycled = data['items'] as unknown as Array<{ path: string }>
    expect(recycled.map((item) => item.path)).toEqual(expect.arrayContaining([at('to/a.txt'), at('to/box')]))
    await site.call(mei.token, 'purge', { recycleIds: 'all' })
    expect(await usage()).toEqual(before)
    // Nothing is there for a second time.
    expect((await undo(job)).code).not.toBe(200)
  })

  it('stays where it was changed since: a file with another content, a folder with anything else in it', async () => {
    const copies = [await transfer('copy', ['a.txt']), await transfer('copy', ['box'])] as const
    fs.writeFileSync(on('to/a.txt'), 'what lin wrote')
    await put('to/box/new.txt')
    expect(await undo(copies[0])).toEqual(changed('to/a.txt'))
    expect(await undo(copies[1])).toEqual(changed('to/box'))
    expect([read('to/a.txt'), read('to/box/new.txt')]).toEqual(['what lin wrote', 'to/box/new.txt'])
  })

  it('took the next free name, and only that one goes', async () => {
    await put('to/a.txt', 'there before')
    expect(await undo(await transfer('copy', ['a.txt'], { conflict: 'keep-both' }))).toEqual(DONE)
    expect(fs.readdirSync(on('to'))).toEqual(['a.txt'])
    expect(read('to/a.txt')).toBe('there before')
  })
})

describe('an undone move', () => {
  it('is back under the name it had', async () => {
    await put('to/a.txt', 'there before')
    const job = await transfer('move', ['a.txt', 'box'], { conflict: 'keep-both' })
    expect(read('to/a (1).txt')).toBe('a.txt')
    expect(await undo(job)).toEqual(DONE)
    expect([read('a.txt'), read('box/inner.txt'), read('to/a.txt')]).toEqual(['a.txt', 'box/inner.txt', 'there before'])
  })

  it('leaves alone what took its place since, and never takes a name that is taken again', async () => {
    const moved = await transfer('move', ['a.txt'])
    fs.rmSync(on('to/a.txt'))
    fs.writeFileSync(on('to/a.txt'), 'of somebody else')
    expect(await undo(moved)).toEqual(changed('to/a.txt'))
    expect([read('a.txt'), read('to/a.txt')]).toEqual([undefined, 'of somebody else'])
    const other = await transfer('move', ['box'])
    await mkdir('box')
    expect((await undo(other)).code).not.toBe(200)
    expect([read('to/box/inner.txt'), fs.readdirSync(on('box'))]).toEqual(['box/inner.txt', []])
  })

  it('brings back what it replaced, where versions are kept', async () => {
    await keepVersions(3)
    await put('to/a.txt', 'the first one')
    const before = await usage()
    const job = await transfer('move', ['a.txt'], { conflict: 'replace' })
    expect([job.canUndo, read('to/a.txt')]).toEqual([true, 'a.txt'])
    expect(await undo(job)).toEqual(DONE)
    expect([read('a.txt'), read('to/a.txt')]).toEqual(['a.txt', 'the first one'])
    for (const name of ['a.txt', 'to/a.txt'])
      expect((await site.call(mei.token, 'versions', { path: at(name) })).data['items']).toEqual([])
    expect(await usage()).toEqual(before)
    // What was written to the moved file since stays, and so does what it had replaced: as its version.
    const again = await transfer('move', ['a.txt'], { conflict: 'replace' })
    fs.writeFileSync(on('to/a.txt'), 'changed since')
    expect(await undo(again)).toEqual(changed('to/a.txt'))
    expect(read('to/a.txt')).toBe('changed since')
    expect((await site.call(mei.token, 'versions', { path: at('to/a.txt') })).data['items']).toHaveLength(1)
    await put('a.txt')
    await keepVersions(0)
  })
})

describe('what cannot be taken back as a whole', () => {
  it('does not say that it can, and is refused', async () => {
    await put('to/a.txt', 'lost when it is replaced')
    await mkdir('to/box')
    for (const name of ['a.txt', 'box'])
      for (const kind of ['copy', 'move'] as const) {
        const job = await transfer(kind, [name], { conflict: 'replace' })
        expect([name, kind, job.state, job.canUndo]).toEqual([name, kind, 'completed', undefined])
        expect((await undo(job)).code).toBe((await site.call(mei.token, 'undo', { jobId: 'none' })).code)
        if (kind === 'copy') await put('to/a.txt', 'lost when it is replaced')
      }
  })

  it('is a job of somebody else', async () => {
    const job = await transfer('copy', ['a.txt'])
    const { code } = await site.call(lin.token, 'undo', { jobId: job.jobId })
    expect(code).toBe((await site.call(lin.token, 'undo', { jobId: 'none' })).code)
    expect(read('to/a.txt')).toBe('a.txt')
  })
})
