import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOfPath } from '../../content/file-events/index.ts'
import { filesBelow, PAIRS, type TwoStorages } from '../../content/files/jobs/testing/two-storages.ts'
import { bytes } from '../../content/intake/testing/intake-site.ts'
import { pointsAroundChanges } from '../../content/recycle/testing/kill-switch.ts'
import { someLink } from '../../exchange/links/testing/some-links.ts'
import { openWorldStorages } from '../../testing/worlds.ts'
import { settleMoves } from './relocations.service.ts'
import { MoveSite } from './testing/move-site.ts'

/** Between two buckets the code is that of the others. */
const TRIED = PAIRS.filter(({ from, to }) => from === 'local' || to === 'local')

describe.each(TRIED)('a home that moves between $name', (pair) => {
  let site: MoveSite
  let two: TwoStorages
  beforeAll(async () => {
    site = await MoveSite.open(pair)
    two = site.two
  }, 120_000)
  afterAll(async () => site[Symbol.asyncDispose]())

  const intake = () => two.site.intake
  const db = () => site.db
  const place = { space_id: 1, group_id: 0 } as const

  async function expectMoved(before: ReadonlyMap<string, string>): Promise<void> {
    expect(await site.everything(two.library)).toEqual(before)
    const at = await db().selectFrom('places').select('storage_id').where('owner_id', '=', intake().alice.id).execute()
    expect(at).toEqual([{ storage_id: site.to }])
    const noted = await db()
      .selectFrom('file_hashes')
      .selectAll()
      .where('storage_key', 'like', `${intake().alice.home}/%`)
      .execute()
    expect(noted).toHaveLength(3)
    for (const { storage_key: key, etag } of noted) expect((await two.library.stat(key ?? ''))?.etag).toBe(etag)
  }

  it('is copied while people work, follows what they do, and is switched at last; links and versions go along', async () => {
    await site.prepare()
    const { alice } = intake()
    const shared = (await two.home.stat(`${alice.home}/tree/two`))?.etag ?? ''
    const target = { owner_id: alice.id, ...place, path: '/tree/two', path_hash: hashOfPath('/tree/two'), etag: shared }
    const { targets, ...link } = someLink({ owner_id: alice.id, id: alice.account })
    await db().insertInto('links').values(link).execute()
    const row = targets.map((each) => ({ ...each, ...target, link_id: link.id }))
    await db().insertInto('link_targets').values(row).execute()

    const [first] = await Promise.all([
      site.move(),
      intake().upload(bytes(5_000, 5), { relativePath: 'meanwhile' }),
      intake().upload(bytes(90_000, 6), { relativePath: 'one', conflict: 'replace' }),
    ])
    expect(first).toMatchObject([{ ownerId: alice.id, state: 'copied', corrupt: [] }])
    await two.site.call('remove', { paths: ['/meanwhile'] })
    await two.site.runJobs()
    expect(await site.move()).toMatchObject([{ state: 'copied', changed: 0 }])
    // Nothing has changed since, so nothing is copied.
    expect(await site.move()).toMatchObject([{ state: 'copied', copied: 0 }])

    expect(await site.move(true)).toMatchObject([{ state: 'blocked', blocker: 'events' }])
    await site.deliver()
    const { live } = await intake().create({ size: 500, filename: 'unfinished' })
    expect(await site.move(true)).toMatchObject([{ state: 'blocked', blocker: 'uploads' }])
    await intake().putAll(live, bytes(500, 7))
    await intake().intake.abort(live)
    await site.deliver()

    const before = await site.everything(two.home)
    expect(await site.move(true)).toMatchObject([{ state: 'switched', copied: 0, files: before.size }])
    await expectMoved(before)
    const followed = db().selectFrom('link_targets').select('etag').where('link_id', '=', link.id)
    expect((await followed.executeTakeFirst())?.etag).toBe((await two.library.stat(`${alice.home}/tree/two`))?.etag)
    expect(await site.move(true)).toEqual([])

    // The old bytes stay until somebody says so, except what changed there since.
    expect(await site.everything(two.home)).toEqual(before)
    expect(await settleMoves(site.deps, { ...site.chosen, isCancel: false })).toMatchObject([
      { outcome: 'ended', kept: 0 },
    ])
    expect((await filesBelow(two.home, alice.home)).size).toBe(0)
    expect(await site.everything(two.library)).toEqual(before)
    // A server that starts now keeps the home there.
    const storages = await openWorldStorages(intake().world)
    const store = await storages.ofPlace({ ownerId: alice.id, spaceId: 1, groupId: 0 })
    expect(storages.idOf(store)).toBe(site.to)
    await storages.close()
  })

  it('stays where it was when the move is given up, and nothing of it is left on the other storage', async () => {
    await site.prepare()
    await site.move()
    const before = await site.everything(two.home)
    expect(await settleMoves(site.deps, { ...site.chosen, isCancel: true })).toMatchObject([
      { outcome: 'cancelled', kept: 0 },
    ])
    expect(await site.everything(two.home)).toEqual(before)
    expect((await filesBelow(two.library, intake().alice.home)).size).toBe(0)
  })

  it('does not move with a file that is not what was stored', async () => {
    await site.prepare()
    await site.deliver()
    const damaged = { hash: '0'.repeat(64) }
    await db().updateTable('file_hashes').set(damaged).where('storage_key', '=', `${intake().alice.home}/one`).execute()
    expect(await site.move(true)).toMatchObject([{ state: 'failed', corrupt: [`${intake().alice.home}/one`] }])
  })

  it('loses nothing and has nothing twice, killed at any step: database, disks and quota are as they were', async () => {
    const { calls, faults } = await site.turn()
    expect(faults).toEqual([])
    // Some of them; the torture test tries every call.
    const oneIn = pair.name === 'two folders' ? 6 : 15
    const points = pointsAroundChanges(calls).filter((_, at) => at % oneIn === 0)
    let kills = 0
    for (const point of points) {
      const turn = await site.turn(point)
      if (turn.wasKilled) kills++
      expect({ point, faults: turn.faults }).toEqual({ point, faults: [] })
    }
    // A queue that is looked at more or less often makes more or fewer calls, so the last points may lie behind the end.
    expect(kills).toBeGreaterThan(4)
  }, 300_000)
})
