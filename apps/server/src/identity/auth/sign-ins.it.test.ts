import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, type UserRow, type UsersDeps, usersStore } from '../users/index.ts'
import { forgetSignIns, noteSignIn, signInHistory, type SignInsDeps } from './sign-ins.ts'

const DAY_MS = 24 * 3_600_000

for (const { dialect, open } of DATABASES) {
  describe(`the history of sign-ins on ${dialect}`, () => {
    let world: World
    let deps: SignInsDeps
    let users: UsersDeps
    let mei: UserRow
    const note = (change = {}) =>
      noteSignIn(deps, callerCtx(change), { userId: mei.id, method: 'password', result: 'success' })
    const page = (pageNum: number, pageSize: number) => signInHistory(deps.db, mei.id, { pageNum, pageSize })

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      deps = { db: database.db, clock, ids }
      users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
      mei = await createUser(users, { account: 'mei', email: '', password: 'Sunrise-42x' })
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('is listed newest first, in pages', async () => {
      for (let made = 0; made < 5; made++) {
        await note({ address: `192.0.2.${made}` })
        world.clock.advance(1)
      }
      expect((await page(1, 2)).result.map(({ address }) => address)).toEqual(['192.0.2.4', '192.0.2.3'])
      expect((await page(3, 2)).result.map(({ address }) => address)).toEqual(['192.0.2.0'])
      expect(await page(4, 2)).toEqual({ result: [], total: 5, size: 2, current: 4 })
    })

    it('is kept for 90 days and not longer', async () => {
      await note()
      world.clock.advance(90 * DAY_MS)
      await forgetSignIns(deps)
      expect((await page(1, 10)).total).toBe(1)
      world.clock.advance(1)
      await forgetSignIns(deps)
      expect((await page(1, 10)).total).toBe(0)
    })

    it('takes what a program calls itself in any length, and goes with the account', async () => {
      await note({ userAgent: 'x'.repeat(10_000), address: 'y'.repeat(100) })
      expect((await page(1, 10)).result[0]?.userAgent).toHaveLength(256)
      await usersStore.remove(users.db, mei)
      expect((await page(1, 10)).total).toBe(0)
    })
  })
}
