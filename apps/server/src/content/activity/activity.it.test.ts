import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OperationReply } from '@godwit/contract'
import { inTransaction } from '../../kernel/db/index.ts'
import type { AnyDurableEvent, DurableEvents } from '../../kernel/events/index.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { createAccess } from '../access/index.ts'
import { compileRules, type Rules } from '../access/rules.ts'
import { attributes } from '../files/files.attributes.ts'
import { makeFolder, rename } from '../files/files.service.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { JobSite } from '../recycle/testing/job-site.ts'
import { activityOf } from './activity.service.ts'
import { noteEvents } from './activity.subscribers.ts'

const PLACE = { spaceId: 1, groupId: 0 }

describe.each(DATABASES)('activity on $dialect', ({ open }) => {
  let site: JobSite
  let rules: readonly Rules[]
  beforeAll(async () => void (site = await JobSite.open(await open())), 60_000)
  beforeEach(async () => {
    rules = []
    await site.nextAccount()
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const db = () => site.intake.world.database.db
  /** What the account may see, narrowed by the rules of the test. */
  const files = () => {
    const { files: given } = site.intake.deps
    const access = createAccess({ storages: given.storages, rulesOf: () => rules })
    access.guests({
      folder: () => Promise.reject(new Error('no guest comes')),
      name: (linkId) => Promise.resolve(`link ${linkId}`),
      expected: () => Promise.resolve(''),
    })
    return { ...given, access }
  }
  const note = (events: readonly AnyDurableEvent[]) => inTransaction(db(), (tx) => noteEvents(events, tx))
  const deliver = async (): Promise<void> => {
    const rows = await db().selectFrom('outbox').selectAll().orderBy('seq').execute()
    await note(rows.map(({ type, payload }) => ({ type, payload: JSON.parse(payload) as unknown }) as AnyDurableEvent))
    await db().deleteFrom('outbox').execute()
  }
  const upload = async (relativePath: string, size = 1): Promise<void> => {
    site.intake.world.clock.advance(1000)
    await site.intake.upload(bytes(size, size), { relativePath, conflict: 'replace' })
  }
  const run = async (name: string, input: object): Promise<unknown> => {
    const reply = await site.call(name, input)
    expect(await site.runJobs()).toEqual([])
    return reply
  }
  const change = (folder: string, oldName: string, newName: string) =>
    rename(files(), site.intake.ctx, { ...PLACE, path: folder, oldName, newName })
  const activity = async (path: string, page: { cursor?: string | null; limit?: number } = {}) => {
    await deliver()
    return activityOf(files(), site.intake.ctx, { ...PLACE, path, limit: 20, ...page })
  }
  const told = async (path: string) =>
    (await activity(path)).items.map(({ kind, path: at, from }) =>
      [kind, at, ...(from === null ? [] : [from])].join(' '),
    )
  const uploaded = async (path: string) => {
    await deliver()
    const { items } = await attributes(files(), site.intake.ctx, { ...PLACE, paths: [path] })
    return items[0]?.uploaded
  }
  const binned = async () => {
    const { items } = (await site.call('recycled', {})) as OperationReply<'recycled'>
    return items.map(({ recycleId }) => recycleId)
  }
  const ME = { kind: 'me', name: expect.stringMatching(/./) as string }

  it('follows a file through renames, moves of its folder, new content, the bin and back', async () => {
    await upload('a/one.txt')
    await change('/a', 'one.txt', 'two.txt')
    await change('/', 'a', 'b')
    await upload('b/two.txt', 2)
    await run('remove', { paths: ['/b/two.txt'] })
    await run('restore', { recycleIds: await binned() })
    expect(await told('/b/two.txt')).toEqual([
      'restored /b/two.txt',
      'deleted /b/two.txt',
      'replaced /b/two.txt',
      'renamed /a/two.txt /a/one.txt',
      'uploaded /a/one.txt',
    ])
    expect((await activity('/b/two.txt')).items.every(({ by }) => by.kind === 'me')).toBe(true)
    expect(await uploaded('/b/two.txt')).toEqual({ by: ME, time: expect.any(Number) as number })
  })

  it('lists what happened in a folder, page by page', async () => {
    await makeFolder(files(), site.intake.ctx, { ...PLACE, folder: '/', name: 'f' })
    for (const name of ['x', 'y', 'z']) await upload(`f/${name}`)
    await upload('f/deeper/w')
    await run('remove', { paths: ['/f/y'] })
    const first = await activity('/f', { limit: 2 })
    expect(first.items.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['deleted /f/y', 'made /f/deeper'])
    const second = await activity('/f', { limit: 100, cursor: first.next })
    expect(second.items.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      ...['uploaded /f/z', 'uploaded /f/y', 'uploaded /f/x'],
      'made /f',
    ])
    expect(second.next).toBeNull()
    await expect(activity('/f', { cursor: 'x' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
  })

  it('begins anew with a namesake and with a copy, whose content keeps who brought it', async () => {
    await upload('a.txt')
    const { time } = (await uploaded('/a.txt')) ?? { time: 0 }
    await run('copy', { paths: ['/a.txt'], target: '/', conflict: 'keep-both' })
    await change('/', 'a.txt', 'old.txt')
    await upload('a.txt', 3)
    expect(await told('/a.txt')).toEqual(['uploaded /a.txt'])
    expect(await told('/a (1).txt')).toEqual(['copied /a (1).txt /a.txt'])
    expect(await uploaded('/a (1).txt')).toMatchObject({ by: ME, time })
    expect(await told('/old.txt')).toEqual(['renamed /old.txt /a.txt', 'uploaded /a.txt'])
  })

  it('names guests by their link, accounts by their name, and nobody for what others put on the storage', async () => {
    await upload('a.txt')
    await deliver()
    const event: DurableEvents['file.replaced'] = {
      ...PLACE,
      ...{ by: { kind: 'guest', id: 'l1', visitId: 'v' }, door: 'http', userId: site.intake.alice.id },
      ...{ path: '/a.txt', kind: 'file', size: 1, at: 5000 },
    }
    await note([{ type: 'file.replaced', payload: event }])
    expect(await uploaded('/a.txt')).toEqual({ by: { kind: 'guest', name: 'link l1' }, time: 5 })
    await note([{ type: 'file.replaced', payload: { ...event, by: { kind: 'user', id: 'gone' }, at: 6000 } }])
    expect(await uploaded('/a.txt')).toEqual({ by: { kind: 'user', name: '' }, time: 6 })
    await note([{ type: 'file.replaced', payload: { ...event, by: { kind: 'system', id: '' }, etag: 'another' } }])
    expect(await uploaded('/a.txt')).toBeUndefined()
  })

  it('lists nothing of what the reader may not see', async () => {
    await upload('open/seen.txt')
    await upload('open/secret.key')
    await upload('hidden/was.txt')
    await run('move', { paths: ['/hidden/was.txt'], target: '/open' })
    rules = [compileRules({ forbiddenPaths: ['*.key', '/hidden'] })]
    expect(await told('/open')).toEqual(['moved /open/was.txt', 'uploaded /open/seen.txt', 'made /open'])
    expect(await told('/open/was.txt')).toEqual(['moved /open/was.txt'])
    expect(await uploaded('/open/was.txt')).toBeUndefined()
    await expect(activity('/open/secret.key')).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
    await expect(activity('/hidden')).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
  })

  it('says what the reader may do', async () => {
    await upload('f/a.txt')
    const { items } = await attributes(files(), site.intake.ctx, { ...PLACE, paths: ['/f', '/f/a.txt'] })
    expect(items.map(({ permissions }) => permissions.length)).toEqual([10, 7])
    rules = [compileRules({ uploadNewOnly: true })]
    const narrowed = await attributes(files(), site.intake.ctx, { ...PLACE, paths: ['/f/a.txt'] })
    expect(narrowed.items[0]?.permissions).toEqual(['list', 'download', 'copy', 'share'])
  })
})
