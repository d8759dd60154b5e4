import { secureRandom } from '@godwit/base'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadAccount } from '../../identity/principals/index.ts'
import { createUser, type UserRow, type UsersDeps, usersStore } from '../../identity/users/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import {
  addSpace,
  allSpaces,
  chooseSpace,
  requireMember,
  setMember,
  spacesOf,
  type SpacesDeps,
} from './spaces.service.ts'

describe('membership', () => {
  it('opens the spaces of a member and no other, whatever the number (4084)', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.integer(), (spaceIds, spaceId) => {
        const enter = () => requireMember({ spaceIds }, spaceId)
        if (spaceIds.includes(spaceId)) expect(enter).not.toThrow()
        else expect(enter).toThrow(expect.objectContaining({ code: 'NO_SPACE', wire: 4084 }))
      }),
    )
  })
})

for (const { dialect, open } of DATABASES) {
  describe(`spaces on ${dialect}`, () => {
    let world: World
    let deps: SpacesDeps
    let users: UsersDeps
    let mei: UserRow
    const ids = async (user: UserRow) => (await loadAccount(deps.db, user)).spaceIds

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids: newIds, database } = world
      deps = { db: database.db, clock }
      users = { db: database.db, clock, random: secureRandom, ids: newIds, bus, passwordPreset: 'standard' }
      mei = await createUser(users, { account: 'mei', email: '', password: 'Sunrise-42x' })
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('begin with one of id 1, which every new account belongs to', async () => {
      expect(await allSpaces(deps.db)).toEqual([{ id: 1, spaceName: 'Default', isDefault: true }])
      expect(await ids(mei)).toEqual([1])
      expect(await spacesOf(deps.db, mei.id)).toMatchObject({ currentSpaceId: 1 })
    })

    it('are entered by membership, and left with it', async () => {
      const lab = await addSpace(deps, 'Laboratory')
      expect(await ids(mei)).toEqual([1])
      await setMember(deps, { userId: mei.id, spaceId: lab.id }, true)
      await setMember(deps, { userId: mei.id, spaceId: lab.id }, true)
      expect(await ids(mei)).toEqual([1, lab.id])
      await setMember(deps, { userId: mei.id, spaceId: 1 }, false)
      expect(await ids(mei)).toEqual([lab.id])
      expect((await spacesOf(deps.db, mei.id)).spaces).toEqual([
        { id: lab.id, spaceName: 'Laboratory', isDefault: false },
      ])
    })

    it('remember the one an account works in, and fall back when it is left', async () => {
      const lab = await addSpace(deps, 'Laboratory')
      await expect(chooseSpace(deps.db, mei.id, lab.id)).rejects.toMatchObject({ wire: 4084 })
      await setMember(deps, { userId: mei.id, spaceId: lab.id }, true)
      await chooseSpace(deps.db, mei.id, lab.id)
      await expect(chooseSpace(deps.db, mei.id, 99)).rejects.toMatchObject({ wire: 4084 })
      expect((await spacesOf(deps.db, mei.id)).currentSpaceId).toBe(lab.id)
      await setMember(deps, { userId: mei.id, spaceId: lab.id }, false)
      expect((await spacesOf(deps.db, mei.id)).currentSpaceId).toBe(1)
      await setMember(deps, { userId: mei.id, spaceId: 1 }, false)
      expect(await spacesOf(deps.db, mei.id)).toEqual({ spaces: [], currentSpaceId: 0, defaultSpaceId: 0 })
    })

    it('let everybody begin in the one of the site who is in it', async () => {
      const lab = await addSpace(deps, 'Laboratory')
      expect(await spacesOf(deps.db, mei.id, lab.id)).toMatchObject({ currentSpaceId: 1, defaultSpaceId: 1 })
      await setMember(deps, { userId: mei.id, spaceId: lab.id }, true)
      expect(await spacesOf(deps.db, mei.id, lab.id)).toMatchObject({ currentSpaceId: lab.id, defaultSpaceId: lab.id })
      await chooseSpace(deps.db, mei.id, 1)
      expect(await spacesOf(deps.db, mei.id, lab.id)).toMatchObject({ currentSpaceId: 1, defaultSpaceId: lab.id })
    })

    it('have names of their own, without regard to case, and numbers that are never given twice at once', async () => {
      await addSpace(deps, ' Laboratory ')
      await expect(addSpace(deps, 'LABORATORY')).rejects.toMatchObject({ code: 'SPACE_NAME_DUPLICATE' })
      for (const name of ['', '  ', 'a\nb', 'x'.repeat(65)]) {
        await expect(addSpace(deps, name)).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      }
      const added = await Promise.all([1, 2, 3].map((number) => addSpace(deps, `space ${number}`)))
      expect(new Set(added.map(({ id }) => id)).size).toBe(3)
      await expect(setMember(deps, { userId: mei.id, spaceId: 77 }, true)).rejects.toMatchObject({
        code: 'SPACE_NOT_FOUND',
      })
    })

    it('forget an account that is removed', async () => {
      await usersStore.remove(users.db, mei)
      expect(await deps.db.selectFrom('space_members').selectAll().execute()).toEqual([])
    })
  })
}
