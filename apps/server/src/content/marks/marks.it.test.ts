import { LIMITS, type OperationReply } from '@godwit/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../kernel/db/index.ts'
import type { AnyDurableEvent } from '../../kernel/events/index.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { createAccess } from '../access/index.ts'
import { compileRules, type Rules } from '../access/rules.ts'
import { makeFolder, rename } from '../files/files.service.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { JobSite } from '../recycle/testing/job-site.ts'
import { favoritesIn, forgetRecent, marked, markFavorites } from './marks.service.ts'
import { noteMarks, RECENT_MAX } from './marks.subscribers.ts'

const PLACE = { spaceId: 1, groupId: 0 }
const refused = (code: string) => expect.objectContaining({ code }) as Error

describe.each(DATABASES)('marks on $dialect', ({ open }) => {
  let site: JobSite
  let rules: readonly Rules[]
  beforeAll(async () => void (site = await JobSite.open(await open())), 60_000)
  beforeEach(async () => {
    rules = []
    await site.nextAccount()
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const db = () => site.intake.world.database.db
  const ctx = () => site.intake.ctx
  const deps = () => {
    const { files } = site.intake.deps
    return { ...files, access: createAccess({ storages: files.storages, rulesOf: () => rules }) }
  }
  const note = (events: readonly AnyDurableEvent[]) => inTransaction(db(), (tx) => noteMarks(events, tx))
  const deliver = async (): Promise<void> => {
    const rows = await db().selectFrom('outbox').selectAll().orderBy('seq').execute()
    await note(rows.map(({ type, payload }) => ({ type, payload: JSON.parse(payload) as unknown }) as AnyDurableEvent))
    await db().deleteFrom('outbox').execute()
  }
  const upload = (relativePath: string, size = 1) =>
    site.intake.upload(bytes(size, size), { relativePath, conflict: 'replace' })
  const run = async (name: string, input: object): Promise<unknown> => {
    const reply = await site.call(name, input)
    expect(await site.runJobs()).toEqual([])
    return reply
  }
  const change = (path: string, oldName: string, newName: string) =>
    rename(deps(), ctx(), { ...PLACE, path, oldName, newName })
  const mark = (paths: readonly string[], isFavorite = true) =>
    markFavorites(deps(), ctx(), { ...PLACE, paths, isFavorite })
  const list = async (kind: 'favorite' | 'recent', page: { cursor?: string | null; limit?: number } = {}) => {
    await deliver()
    return marked(deps(), ctx(), { kind, spaceId: 1, limit: 50, ...page })
  }
  const favorites = async () => (await list('favorite')).items.map(({ path }) => path)
  const recent = async () => (await list('recent')).items.map(({ path, did }) => `${path} ${did ?? ''}`)
  const binned = async () => {
    const { items } = (await site.call('recycled', {})) as OperationReply<'recycled'>
    return items.map(({ recycleId }) => recycleId)
  }

  it('keeps favorites at their entries through renames, moves, the bin and back', async () => {
    await upload('a/one.txt')
    await upload('two.txt')
    await mark(['/a/one.txt', '/a'])
    await mark(['/two.txt'])
    expect(await favorites()).toEqual(['/two.txt', '/a', '/a/one.txt'])
    expect(await favoritesIn(deps(), ctx(), { ...PLACE, folder: '/' })).toEqual({ names: ['a', 'two.txt'] })
    await change('/a', 'one.txt', 'uno.txt')
    await change('/', 'a', 'b')
    expect(await favorites()).toEqual(['/two.txt', '/b', '/b/uno.txt'])
    expect(await favoritesIn(deps(), ctx(), { ...PLACE, folder: '/b' })).toEqual({ names: ['uno.txt'] })
    await run('remove', { paths: ['/b'] })
    const [first] = await binned()
    expect(await favorites()).toEqual(['/two.txt'])
    // What takes the name meanwhile is another entry.
    await makeFolder(deps(), ctx(), { ...PLACE, folder: '/', name: 'b' })
    expect(await favorites()).toEqual(['/two.txt'])
    await run('remove', { paths: ['/b'] })
    await run('restore', { recycleIds: [first] })
    expect(await favorites()).toEqual(['/two.txt', '/b', '/b/uno.txt'])
    await mark(['/b', '/b'], false)
    expect(await favorites()).toEqual(['/two.txt', '/b/uno.txt'])
  })

  it('forgets favorites that are deleted for good, and makes one of two that become one', async () => {
    await upload('a.txt')
    await upload('b.txt')
    await mark(['/a.txt', '/b.txt'])
    await makeFolder(deps(), ctx(), { ...PLACE, folder: '/', name: 'in' })
    await run('move', { paths: ['/a.txt'], target: '/in' })
    await change('/', 'b.txt', 'a.txt')
    await run('move', { paths: ['/a.txt'], target: '/in', conflict: 'replace' })
    expect(await favorites()).toEqual(['/in/a.txt'])
    await run('remove', { paths: ['/in/a.txt'] })
    await run('purge', { recycleIds: 'all' })
    await deliver()
    const rows = db().selectFrom('entry_marks').select('n').where('user_id', '=', ctx().principal.id)
    expect(await rows.where('kind', '=', 'favorite').execute()).toEqual([])
  })

  it('shows nothing of what the account may not see now', async () => {
    await upload('open/a.txt')
    await upload('secret/b.txt')
    await mark(['/open/a.txt', '/secret/b.txt', '/secret'])
    rules = [compileRules({ forbiddenPaths: ['/secret'] })]
    expect(await favorites()).toEqual(['/open/a.txt'])
    expect(await recent()).toEqual(['/open/a.txt uploaded'])
    expect(await favoritesIn(deps(), ctx(), { ...PLACE, folder: '/' })).toEqual({ names: [] })
    await expect(favoritesIn(deps(), ctx(), { ...PLACE, folder: '/secret' })).rejects.toEqual(refused('PATH_NOT_FOUND'))
    await expect(mark(['/secret/b.txt'])).rejects.toEqual(refused('PATH_NOT_FOUND'))
    await expect(mark(['/secret/nothing'])).rejects.toEqual(refused('PATH_NOT_FOUND'))
    rules = []
    expect(await favorites()).toEqual(['/secret', '/secret/b.txt', '/open/a.txt'])
  })

  it('refuses foreign spaces and places, roots, wrong cursors and more than an account may have', async () => {
    await upload('a.txt')
    await expect(marked(deps(), ctx(), { kind: 'favorite', spaceId: 7, limit: 1 })).rejects.toEqual(refused('NO_SPACE'))
    await expect(list('favorite', { cursor: 'x' })).rejects.toEqual(refused('CURSOR_INVALID'))
    await expect(mark(['/'])).rejects.toEqual(refused('PARAMETER_INVALID'))
    await expect(
      markFavorites(deps(), ctx(), { spaceId: 7, groupId: 0, paths: ['/a.txt'], isFavorite: true }),
    ).rejects.toEqual(refused('NO_SPACE'))
    const rows = Array.from({ length: LIMITS.favoritesMax }, (_, at) => ({
      ...{ user_id: ctx().principal.id, kind: 'favorite' as const, space_id: 1, group_id: 0, action: '' as const },
      ...{ path: `/gone-${at}`, path_hash: `${at}`, parent_hash: '', recycle_id: 'r', recycled_path: '', at: 0 },
    }))
    await db().insertInto('entry_marks').values(rows).execute()
    await expect(mark(['/a.txt'])).rejects.toEqual(refused('FAVORITES_LIMIT'))
    expect(await favorites()).toEqual([])
  })

  it('marks an entry once, also when two pages do it together', async () => {
    await upload('a.txt')
    await Promise.all([mark(['/a.txt']), mark(['/a.txt'])])
    expect(await favorites()).toEqual(['/a.txt'])
  })

  it('remembers the last files that an account worked with, page by page, once each', async () => {
    await upload('a.txt')
    await upload('b.txt')
    await upload('a.txt', 2)
    await change('/', 'b.txt', 'c.txt')
    expect(await recent()).toEqual(['/c.txt renamed', '/a.txt changed'])
    const { items, next } = await list('recent', { limit: 1 })
    expect(items.map(({ path }) => path)).toEqual(['/c.txt'])
    expect((await list('recent', { limit: 1, cursor: next })).items.map(({ path }) => path)).toEqual(['/a.txt'])
    const event = (path: string, more: object = {}): AnyDurableEvent => ({
      type: 'file.previewed',
      payload: {
        ...{ ...PLACE, userId: ctx().principal.id, path, kind: 'file', size: 1, at: 5, door: 'page' },
        ...{ by: { kind: 'user', id: ctx().principal.id } },
        ...more,
      },
    })
    await note([
      event('/a.txt'),
      event('/c.txt', { by: { kind: 'guest', id: 'l' } }),
      event('/c.txt', { by: { kind: 'user', id: 'somebody else' } }),
      event('/', { kind: 'folder' }),
    ])
    expect(await recent()).toEqual(['/a.txt opened', '/c.txt renamed'])
    await note(Array.from({ length: RECENT_MAX + 50 }, (_, at) => event(`/many-${at}`)))
    const rows = await db().selectFrom('entry_marks').select('path').where('user_id', '=', ctx().principal.id).execute()
    expect(rows).toHaveLength(RECENT_MAX)
    await forgetRecent(deps(), ctx())
    expect(await recent()).toEqual([])
  })

  it('forgets what it knows of an account that is removed', async () => {
    await upload('a.txt')
    const rows = await db().selectFrom('outbox').selectAll().orderBy('seq').execute()
    await mark(['/a.txt'])
    await deliver()
    await db().deleteFrom('users').where('id', '=', ctx().principal.id).execute()
    await note(rows.map(({ type, payload }) => ({ type, payload: JSON.parse(payload) as unknown }) as AnyDurableEvent))
    const left = db().selectFrom('entry_marks').select('n').where('user_id', '=', ctx().principal.id)
    expect(await left.execute()).toEqual([])
  })
})
