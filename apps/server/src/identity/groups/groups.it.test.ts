import { secureRandom } from '@godwit/base'
import { ACCOUNT_TYPE, FULL_PERMISSION, PERMISSION } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, type UserRow, type UsersDeps, usersStore } from '../users/index.ts'
import {
  addGroup,
  changeGroup,
  groupsStore,
  listGroups,
  MEMBER_PERMISSION,
  removeGroup,
  removeMember,
  setMember,
} from './index.ts'

for (const { dialect, open } of DATABASES) {
  describe(`groups on ${dialect}`, () => {
    let world: World
    let users: UsersDeps
    let mei: UserRow
    const refused = (code: string) => expect.objectContaining({ code }) as Error
    const deps = () => ({ db: world.database.db, clock: world.clock })
    const add = (name: string, spaceId = 1) => addGroup(deps(), { name, spaceId, quotaBytes: 0 })
    const membershipOf = (groupId: number, spaceId = 1) =>
      groupsStore.membership(world.database.db, { userId: mei.id, spaceId, groupId })
    const events = async () =>
      (await world.database.db.selectFrom('outbox').select(['type', 'payload']).execute()).map(({ type, payload }) => [
        type,
        JSON.parse(payload) as object,
      ])

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
      mei = await createUser(users, { account: 'mei', email: '', password: 'Sunrise-42x' })
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('have names of one line and at most 32 characters, unique in a space whatever the case', async () => {
      expect(await add(' Design ')).toMatchObject({ name: 'Design', space_id: 1, quota_bytes: 0 })
      await expect(add('DESIGN')).rejects.toEqual(refused('GROUP_NAME_DUPLICATE'))
      await add('Design', 2)
      for (const name of ['', ' ', 'a\nb', 'x'.repeat(33), '\uFDFA'.repeat(32)]) {
        await expect(add(name), name).rejects.toEqual(refused('PARAMETER_INVALID'))
      }
      await add('\u{1F426}'.repeat(32))
      const { id } = await add('Sales')
      await expect(changeGroup(deps(), id, { name: 'design' })).rejects.toEqual(refused('GROUP_NAME_DUPLICATE'))
      await changeGroup(deps(), id, { name: 'sales', quotaBytes: 2 ** 40 })
      expect((await listGroups(deps())).find((group) => group.id === id)).toMatchObject({ name: 'sales', members: 0 })
      expect(Number((await groupsStore.byId(world.database.db, id))?.quota_bytes)).toBe(2 ** 40)
    })

    it('give members everything but move and copy, and only in their own space', async () => {
      const { id } = await add('Design')
      await setMember(deps(), { groupId: id, user: mei }, {})
      expect(MEMBER_PERMISSION).toBe(FULL_PERMISSION - PERMISSION.move - PERMISSION.copy)
      expect(await membershipOf(id)).toMatchObject({ permission: MEMBER_PERMISSION, is_admin: 0 })
      expect(await membershipOf(id, 2)).toBeUndefined()
      await setMember(deps(), { groupId: id, user: mei }, { permission: PERMISSION.list | PERMISSION.cwd })
      await setMember(deps(), { groupId: id, user: mei }, { isAdmin: true })
      expect(await membershipOf(id)).toMatchObject({ permission: PERMISSION.list, is_admin: 1 })
      expect(await removeMember(deps(), { groupId: id, userId: mei.id })).toMatchObject({ wasMember: true })
      expect(await membershipOf(id)).toBeUndefined()
    })

    it('emit an event for a new member, once', async () => {
      const { id } = await add('Design')
      for (let time = 0; time < 2; time++) await setMember(deps(), { groupId: id, user: mei }, {})
      const event = { userId: mei.id, groupId: id, groupName: 'Design', at: world.clock.now() }
      expect(await events()).toEqual([['group.member-added', event]])
    })

    it('take no Linux account, nobody from outside the space, and nobody where there is no group', async () => {
      const { id } = await add('Lab', 2)
      await expect(setMember(deps(), { groupId: id, user: mei }, {})).rejects.toEqual(refused('NO_SPACE'))
      await expect(setMember(deps(), { groupId: 99, user: mei }, {})).rejects.toEqual(refused('GROUP_NOT_FOUND'))
      const type = ACCOUNT_TYPE.linux
      const root = await createUser(users, { account: 'root', email: '', password: 'Sunrise-42x', type })
      const design = await add('Design')
      const joining = setMember(deps(), { groupId: design.id, user: root }, {})
      await expect(joining).rejects.toEqual(refused('PERMISSION_DENIED'))
      expect(await events()).toEqual([])
    })

    it('are removed once they are empty, and their number is never given again', async () => {
      const { id } = await add('Design')
      await setMember(deps(), { groupId: id, user: mei }, {})
      await expect(removeGroup(deps(), id)).rejects.toEqual(refused('GROUP_HAS_USERS'))
      await usersStore.remove(users.db, mei)
      await removeGroup(deps(), id)
      await expect(removeGroup(deps(), id)).rejects.toEqual(refused('GROUP_NOT_FOUND'))
      expect((await add('Design')).id).toBeGreaterThan(id)
    })
  })
}
