import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ObjectStore } from '@godwit/storage'
import { hashOfPath } from '../../content/file-events/index.ts'
import { contentOf, filesBelow, PAIRS, TwoStorages } from '../../content/files/jobs/testing/two-storages.ts'
import { bytes } from '../../content/intake/testing/intake-site.ts'
import { KillSwitch, pointsAroundChanges } from '../../content/recycle/testing/kill-switch.ts'
import { someLink } from '../../exchange/links/testing/some-links.ts'
import { openWorld, openWorldStorages } from '../../testing/worlds.ts'
import { movePlaces, settleMoves } from './relocations.service.ts'

/** Calls from one kill to the next. */
const EVERY = 20

/** Between two buckets the code is that of the others. */
const TRIED = PAIRS.filter(({ from, to }) => from === 'local' || to === 'local')

describe.each(TRIED)('a home that moves between $name', (pair) => {
  const kill = new KillSwitch()
  let two: TwoStorages
  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(await pair.url()), pair, kill)
  }, 120_000)
  afterAll(async () => two[Symbol.asyncDispose]())

  const intake = () => two.site.intake
  const db = () => intake().world.database.db
  const deps = () => ({
    ...{ db: db(), clock: intake().world.clock, storages: two.site.deps.files.storages },
    signal: new AbortController().signal,
  })
  const chosen = () => ({ spaceId: 1, ownerId: intake().alice.id })
  const to = () => two.site.deps.files.storages.idOf(two.library)
  const move = (isFinal = false) => movePlaces(deps(), { ...chosen(), to: to(), isFinal })
  const place = { space_id: 1, group_id: 0 } as const

  /** Files, earlier contents and the bin. */
  async function everything(store: ObjectStore): Promise<Map<string, string>> {
    const home = await filesBelow(store, intake().alice.home)
    const found = [...home].map(([name, content]): [string, string] => [name, content.toString('hex')])
    const { id } = intake().alice
    const versions = await db()
      .selectFrom('file_versions')
      .select('version_key as key')
      .where('user_id', '=', id)
      .execute()
    const deleted = await db()
      .selectFrom('recycle_items')
      .select('storage_key as key')
      .where('owner_id', '=', id)
      .execute()
    for (const { key } of [...versions, ...deleted]) found.push([key, (await contentOf(store, key)).toString('hex')])
    return new Map(found)
  }

  async function prepare(): Promise<void> {
    await two.nextAccount()
    await intake().upload(bytes(70_000, 1), { relativePath: 'one' })
    await intake().upload(bytes(200, 2), { relativePath: 'tree/two' })
    await intake().upload(bytes(0, 2), { relativePath: 'tree/empty' })
    await intake().upload(bytes(300, 3), { relativePath: 'tree/two', conflict: 'replace' })
    await intake().upload(bytes(40, 4), { relativePath: 'gone' })
    await two.site.call('remove', { paths: ['/gone'] })
    expect(await two.site.runJobs()).toEqual([])
  }

  /** As if every subscriber had heard of everything. */
  const deliver = () => db().deleteFrom('outbox').execute()

  async function expectMoved(before: ReadonlyMap<string, string>): Promise<void> {
    expect(await everything(two.library)).toEqual(before)
    const at = await db().selectFrom('places').select('storage_id').where('owner_id', '=', intake().alice.id).execute()
    expect(at).toEqual([{ storage_id: to() }])
    const noted = await db()
      .selectFrom('file_hashes')
      .selectAll()
      .where('storage_key', 'like', `${intake().alice.home}/%`)
      .execute()
    expect(noted).toHaveLength(3)
    for (const { storage_key: key, etag } of noted) expect((await two.library.stat(key ?? ''))?.etag).toBe(etag)
  }

  it('is copied while people work, follows what they do, and is switched at last; links and versions go along', async () => {
    await prepare()
    const { alice } = intake()
    const shared = (await two.home.stat(`${alice.home}/tree/two`))?.etag ?? ''
    const target = { owner_id: alice.id, ...place, path: '/tree/two', path_hash: hashOfPath('/tree/two'), etag: shared }
    const { targets, ...link } = someLink({ owner_id: alice.id, id: alice.account })
    await db().insertInto('links').values(link).execute()
    const row = targets.map((each) => ({ ...each, ...target, link_id: link.id }))
    await db().insertInto('link_targets').values(row).execute()

    const [first] = await Promise.all([
      move(),
      intake().upload(bytes(5_000, 5), { relativePath: 'meanwhile' }),
      intake().upload(bytes(90_000, 6), { relativePath: 'one', conflict: 'replace' }),
    ])
    expect(first).toMatchObject([{ ownerId: alice.id, state: 'copied', corrupt: [] }])
    await two.site.call('remove', { paths: ['/meanwhile'] })
    await two.site.runJobs()
    expect(await move()).toMatchObject([{ state: 'copied', changed: 0 }])
    // Nothing has changed since, so nothing is copied.
    expect(await move()).toMatchObject([{ state: 'copied', copied: 0 }])

    expect(await move(true)).toMatchObject([{ state: 'blocked', blocker: 'events' }])
    await deliver()
    const { live } = await intake().create({ size: 500, filename: 'unfinished' })
    expect(await move(true)).toMatchObject([{ state: 'blocked', blocker: 'uploads' }])
    await intake().putAll(live, bytes(500, 7))
    await intake().intake.abort(live)
    await deliver()

    const before = await everything(two.home)
    expect(await move(true)).toMatchObject([{ state: 'switched', copied: 0, files: before.size }])
    await expectMoved(before)
    const followed = db().selectFrom('link_targets').select('etag').where('link_id', '=', link.id)
    expect((await followed.executeTakeFirst())?.etag).toBe((await two.library.stat(`${alice.home}/tree/two`))?.etag)
    expect(await move(true)).toEqual([])

    // The old bytes stay until somebody says so, except what changed there since.
    expect(await everything(two.home)).toEqual(before)
    expect(await settleMoves(deps(), { ...chosen(), isCancel: false })).toMatchObject([{ outcome: 'ended', kept: 0 }])
    expect((await filesBelow(two.home, alice.home)).size).toBe(0)
    expect(await everything(two.library)).toEqual(before)
    // A server that starts now keeps the home there.
    const storages = await openWorldStorages(intake().world)
    const store = await storages.ofPlace({ ownerId: alice.id, spaceId: 1, groupId: 0 })
    expect(storages.idOf(store)).toBe(to())
    await storages.close()
  })

  it('stays where it was when the move is given up, and nothing of it is left on the other storage', async () => {
    await prepare()
    await move()
    const before = await everything(two.home)
    expect(await settleMoves(deps(), { ...chosen(), isCancel: true })).toMatchObject([
      { outcome: 'cancelled', kept: 0 },
    ])
    expect(await everything(two.home)).toEqual(before)
    expect((await filesBelow(two.library, intake().alice.home)).size).toBe(0)
  })

  it('does not move with a file that is not what was stored', async () => {
    await prepare()
    await deliver()
    const damaged = { hash: '0'.repeat(64) }
    await db().updateTable('file_hashes').set(damaged).where('storage_key', '=', `${intake().alice.home}/one`).execute()
    expect(await move(true)).toMatchObject([{ state: 'failed', corrupt: [`${intake().alice.home}/one`] }])
  })

  it('loses nothing and has nothing twice, killed at any step', async () => {
    const turn = async (point?: number) => {
      await prepare()
      await deliver()
      const before = await everything(two.home)
      kill.arm(point)
      await move(true).catch((thrown: unknown) => {
        if (!kill.isDead) throw thrown
      })
      const wasKilled = kill.isDead
      const calls = kill.revive()
      await two.restart()
      await move(true)
      await expectMoved(before)
      return { calls, wasKilled }
    }
    const { calls } = await turn()
    // All of them between two folders; elsewhere the storage or the database is another, and the code is the same.
    const every = pair.name === 'two folders' ? EVERY : 2 * EVERY
    const around = pointsAroundChanges(calls).filter((_, at) => every === EVERY || at % 3 === 0)
    const points = new Set([...around, ...[...calls.keys()].filter((call) => call % every === 0)])
    for (const point of points) await turn(point)
    expect(points.size).toBeGreaterThan(8)
  }, 300_000)
})
