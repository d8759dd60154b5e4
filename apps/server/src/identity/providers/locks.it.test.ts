import { secureRandom } from '@godwit/base'
import { ACCOUNT_TYPE, FULL_PERMISSION } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, usersStore, type UsersDeps } from '../users/index.ts'
import { applySteps, everythingPresent } from './accounts.service.ts'
import { externalStore } from './external.store.ts'
import { takeLocksOver } from './locks.ts'
import { planOf } from './people.policy.ts'
import type { Person } from './provider.types.ts'
import { providersStore } from './providers.store.ts'

const MEI: Person = {
  ...{ key: 'entry-of-mei', login: 'mei', name: 'mei', email: '', phone: '', department: '' },
  ...{ departmentId: undefined, groupIds: [], isDisabled: false },
}

for (const { dialect, open } of DATABASES) {
  describe(`locks of a directory and of administrators on ${dialect}`, () => {
    let world: World
    let deps: UsersDeps
    let userId = ''
    let origin = { providerId: 0, accountType: ACCOUNT_TYPE.domain, permission: FULL_PERMISSION }

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      deps = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
      const wanted = { account: 'mei', email: '', password: 'Sunrise-42x', type: ACCOUNT_TYPE.domain }
      userId = (await createUser(deps, wanted)).id
      await inTransaction(deps.db, async (tx) => {
        const row = { kind: 'ldap', name: 'Company', name_key: 'company', place: 1, enabled: 1, settings: '{}' }
        const providerId = await providersStore.insert(tx, { ...row, sealed_secret: '', created_at: 0, revision: 1 })
        origin = { ...origin, providerId }
        const link = { user_id: userId, provider_id: providerId, external_key: MEI.key, login: 'mei' }
        await externalStore.insertLinks(tx, [{ ...link, locked_by_sync: 0 }])
      })
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    /** What a synchronization has to do when it finds these people, and what does it, perhaps later. */
    async function planned(people: readonly Person[]) {
      const present = await everythingPresent(deps.db, origin)
      const steps = planOf(people, present)
      return {
        changes: steps.map(({ change }) => change),
        apply: () => applySteps(deps, steps, { origin, groups: present.groups }),
      }
    }
    const isLocked = async () => (await usersStore.byId(deps.db, userId))?.locked === 1
    /** As an administrator does it. */
    const byHand = (locked: number) =>
      inTransaction(deps.db, async (tx: Tx) => {
        await usersStore.updateMany(tx, [userId], { locked })
        await takeLocksOver(tx, [userId])
      })

    it('unlocks whom it has locked', async () => {
      await (await planned([])).apply()
      expect(await isLocked()).toBe(true)
      await (await planned([MEI])).apply()
      expect(await isLocked()).toBe(false)
    })

    it('leaves a lock that an administrator made after it was planned to unlock', async () => {
      await (await planned([])).apply()
      const late = await planned([MEI])
      expect(late.changes).toEqual(['unlock'])
      await byHand(1)
      await late.apply()
      expect(await isLocked()).toBe(true)
    })

    it('does not call a lock its own that an administrator made after it was planned to lock', async () => {
      const late = await planned([])
      expect(late.changes).toEqual(['lock'])
      await byHand(1)
      await late.apply()
      expect((await planned([MEI])).changes).toEqual([])
      expect(await isLocked()).toBe(true)
    })
  })
}
