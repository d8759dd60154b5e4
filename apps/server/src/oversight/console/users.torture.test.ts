import { secureRandom } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRows, inTransaction } from '../../kernel/db/index.ts'
import { createUser, usersSearch, usersStore, type UsersDeps } from '../../identity/users/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'

const USERS = 100_000
const PAGE_MS = 300
const SEARCH_MS = 200
const BULK_MS = 2_000
/** The best of these is what the database takes; the others show the machine. */
const TRIES = 3

for (const { dialect, open } of DATABASES) {
  describe(`100,000 accounts on ${dialect}`, () => {
    let world: World
    beforeAll(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      const deps: UsersDeps = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
      const model = await createUser(deps, { account: 'model', email: '', password: 'Sunrise-42x' })
      const rows = Array.from({ length: USERS }, (_, at) => {
        const account = `user_${(at * 7919) % USERS}`
        const email = `${account}@example.org`
        const own = { id: ids.next(), account, account_key: account, email, email_key: email, home: `users/${account}` }
        return { ...model, ...own, name: `Name ${at % 977}`, created_at: at, last_sign_in_at: at % 3 === 0 ? at : null }
      })
      await inTransaction(database.db, (tx) => insertRows(tx, 'users', rows))
    }, 300_000)
    afterAll(async () => world[Symbol.asyncDispose]())

    async function bestOf(work: () => Promise<unknown>): Promise<number> {
      const times: number[] = []
      for (let at = 0; at < TRIES; at++) {
        const start = performance.now()
        await work()
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }

    const page = { page: 1, size: 50, order: 'asc', seenSince: 0 } as const
    const list = (filter: object, wanted: object = {}) =>
      usersSearch.page(world.database.db, filter, { ...page, sort: 'account', ...wanted })

    it('are listed in every order, the last page too, within 300 ms, and searched within 200 ms', async () => {
      const figures: Record<string, number> = {}
      for (const sort of ['account', 'name', 'email', 'created', 'lastSignIn'])
        figures[sort] = await bestOf(() => list({}, { sort, order: 'desc' }))
      figures['last page'] = await bestOf(() => list({}, { page: USERS / 50 }))
      figures['locked'] = await bestOf(() => list({ state: 'locked' }))
      figures['online'] = await bestOf(() => list({ state: 'online' }))
      expect((await list({ text: 'user_4711' })).total).toBe(11)
      const search = await bestOf(() => list({ text: 'user_4711' }))
      for (const [name, ms] of Object.entries(figures)) expect(ms, name).toBeLessThan(PAGE_MS)
      expect(search).toBeLessThan(SEARCH_MS)
    })

    it('are locked, 500 in one call, within 2 s', async () => {
      const { db } = world.database
      const chosen = await usersSearch.all(db, { text: 'user_9' }, { seenSince: 0, limit: 500 })
      const ids = chosen.map(({ id }) => id)
      const ms = await bestOf(() => inTransaction(db, (tx) => usersStore.updateMany(tx, ids, { locked: 1 })))
      expect(ids).toHaveLength(500)
      expect(ms).toBeLessThan(BULK_MS)
    })
  })
}
