import fs from 'node:fs'
import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addStorage, type Storages } from '../../foundation/storages/index.ts'
import { loadUser } from '../../identity/principals/index.ts'
import { createUser } from '../../identity/users/index.ts'
import { openVault } from '../../kernel/crypto/index.ts'
import { DATABASES, openWorldStorages, type World } from '../../testing/worlds.ts'
import { createAccess } from './access.ts'

for (const { dialect, open } of DATABASES) {
  describe(`the home of an account on ${dialect}`, () => {
    let world: World
    let storages: Storages
    let second: string

    beforeEach(async () => {
      world = await open()
      storages = await openWorldStorages(world)
      second = `${world.folder}-second`
    })
    afterEach(async () => {
      await storages.close()
      fs.rmSync(second, { recursive: true, force: true })
      await world[Symbol.asyncDispose]()
    })

    const storageOf = async (account: string): Promise<number> => {
      const { database, clock, ids, bus } = world
      const users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' } as const
      const existing = await database.db
        .selectFrom('users')
        .selectAll()
        .where('account', '=', account)
        .executeTakeFirst()
      const user = existing ?? (await createUser(users, { account, email: '', password: 'Sunrise-42x' }))
      const principal = await loadUser(database.db, user, '')
      const home = await createAccess({ storages }).open({ principal }, { kind: 'personal', spaceId: 1 }, '/', 'list')
      return storages.idOf(home.store)
    }

    it('stays on its storage when the default changes, which serves new homes at once', async () => {
      expect(await storageOf('anna')).toBe(1)
      const { database, clock, folder: data } = world
      const vault = () => openVault(data, secureRandom)
      const admin = {
        db: database.db,
        data,
        reserveBytes: 0,
        clock,
        random: secureRandom,
        vault,
        program: '/opt/godwit',
      }
      const settings = { folder: second }
      await addStorage(admin, { name: 'Second', kind: 'local', settings, secret: '', spaceId: 1, isDefault: true })
      expect(await storageOf('anna')).toBe(1)
      expect(await storageOf('ben')).toBe(2)
    })
  })
}
