import { secureRandom } from '@godwit/base'
import { LINK_STATUS, SHARE_URL_TYPE } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, type UserRow, type UsersDeps } from '../../identity/users/index.ts'
import { insertRows, inTransaction } from '../../kernel/db/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { audienceStore, type ReceivedSearch } from './link-audience.store.ts'
import { linksStore, type LinkSearch } from './links.store.ts'
import { someLink } from './testing/some-links.ts'

const LINKS = 100_000
const PAGE_MS = 300
/** The best of these is what the database takes; the others show the machine. */
const TRIES = 3
const SIZE = 50
const AUDIENCES = ['anyone', 'named', 'everyone'] as const

for (const { dialect, open } of DATABASES) {
  describe(`100,000 links on ${dialect}`, () => {
    let world: World
    let owner: UserRow
    let reader: UserRow
    beforeAll(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      const deps: UsersDeps = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
      owner = await createUser(deps, { account: 'model', email: '', password: 'Sunrise-42x' })
      reader = await createUser(deps, { account: 'reader', email: '', password: 'Sunrise-42x' })
      const all = Array.from({ length: LINKS }, (_, at) => {
        const label = `plan ${(at * 7919) % LINKS}.pdf`
        const dates = { created_at: at, expires_at: at % 5 === 0 ? 0 : at * 2 }
        const status = at % 7 === 0 ? LINK_STATUS.canceled : LINK_STATUS.normal
        const more = { label, search_text: `${label}\n/projects`, status, download_count: at % 101, ...dates }
        const audience = AUDIENCES[at % AUDIENCES.length] ?? 'anyone'
        return someLink({ audience, id: at.toString(16).padStart(32, '0'), owner_id: owner.id, ...more })
      })
      await inTransaction(database.db, async (tx) => {
        await insertRows(
          tx,
          'links',
          all.map(({ targets: _targets, ...row }) => row),
        )
        await insertRows(
          tx,
          'link_targets',
          all.flatMap(({ targets }) => targets),
        )
        const named = all.filter(({ audience }) => audience === 'named')
        await insertRows(
          tx,
          'link_people',
          named.map(({ id }) => ({ link_id: id, user_id: reader.id })),
        )
      })
    }, 300_000)
    afterAll(async () => world[Symbol.asyncDispose]())

    const list = (wanted: Partial<LinkSearch> = {}) =>
      linksStore.search(world.database.db, {
        ...{ urlType: SHARE_URL_TYPE.download, text: '', orderBy: 'created_at', order: 'desc' },
        ...{ offset: 0, limit: SIZE, now: LINKS },
        ...wanted,
      })
    async function bestOf(wanted: Partial<LinkSearch>): Promise<number> {
      const times: number[] = []
      for (let at = 0; at < TRIES; at++) {
        const start = performance.now()
        expect((await list(wanted)).rows.length).toBeGreaterThan(0)
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }

    it('are listed in every order, the last page too, filtered and searched, within 300 ms', async () => {
      const figures: Record<string, number> = {}
      for (const orderBy of ['label', 'created_at', 'expires_at', 'status', 'download_count'] as const)
        figures[orderBy] = await bestOf({ orderBy })
      figures['last page'] = await bestOf({ offset: LINKS - SIZE })
      figures['disabled'] = await bestOf({ status: LINK_STATUS.canceled })
      figures['expired'] = await bestOf({ status: LINK_STATUS.expired })
      figures['of one owner'] = await bestOf({ ownerId: owner.id })
      figures['by account'] = await bestOf({ ownerText: 'mod' })
      figures['in a scope'] = await bestOf({ scope: { ownerId: owner.id, spaceIds: [2], groupIds: [3] } })
      figures['search'] = await bestOf({ text: 'plan 4711' })
      expect((await list({ text: 'plan 4711.' })).total).toBe(1)
      for (const [name, ms] of Object.entries(figures)) expect(ms, name).toBeLessThan(PAGE_MS)
    })

    it('are listed for whom they are for, in every order and searched, within 300 ms', async () => {
      const figures: Record<string, number> = {}
      const page = { text: '', orderBy: 'created_at', order: 'desc', offset: 0, limit: SIZE } as const
      const best = async (wanted: Partial<ReceivedSearch>): Promise<number> => {
        const times: number[] = []
        for (let at = 0; at < TRIES; at++) {
          const start = performance.now()
          const { ids } = await audienceStore.received(world.database.db, { userId: reader.id, ...page, ...wanted })
          expect(ids.length).toBeGreaterThan(0)
          times.push(performance.now() - start)
        }
        return Math.min(...times)
      }
      for (const orderBy of ['label', 'created_at', 'expires_at'] as const) figures[orderBy] = await best({ orderBy })
      figures['last page'] = await best({ offset: 57_000 })
      figures['search'] = await best({ text: 'plan 4711' })
      for (const [name, ms] of Object.entries(figures)) expect(ms, name).toBeLessThan(PAGE_MS)
    })
  })
}
