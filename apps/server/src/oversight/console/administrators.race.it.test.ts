import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rolesStore } from '../../identity/administrators/index.ts'
import { createUser, usersStore, type UserRow } from '../../identity/users/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { atOnce } from '../../testing/at-once.ts'
import { openSignIns } from '../../testing/sign-ins.ts'
import { callerCtx, openWorld, type World } from '../../testing/worlds.ts'
import { appointAdministrator } from './administrators.service.ts'
import type { ConsoleCall } from './console.types.ts'
import { setUsersLocked } from './users.bulk.ts'
import { editUser, type ConsoleUsersDeps } from './users.service.ts'

describe('somebody who becomes an administrator just then, on MariaDB', () => {
  let world: World
  let deps: ConsoleUsersDeps
  let user: UserRow
  let roleId: number
  beforeEach(async () => {
    world = await openWorld(await mariadbUrl())
    const { db } = world.database
    const users = { clock: world.clock, bus: world.bus }
    const settings = { forget: () => undefined }
    deps = { db, clock: world.clock, idleMs: 0, users, transfer: { settings } } as unknown as ConsoleUsersDeps
    user = await createUser(openSignIns(world).users, { account: 'mei', email: '', password: 'Moonlight-77' })
    const rights = { rights: '[]', audit_scope: 'all', folder_scope: 'own', revision: 1, created_at: 0, updated_at: 0 }
    const role = { name: 'Helpers', name_key: 'helpers', ...rights } as never
    roleId = await inTransaction(db, (tx) => rolesStore.insert(tx, role))
  })
  afterEach(async () => world[Symbol.asyncDispose]())

  const call = (record = () => Promise.resolve()) => {
    const account = { account: 'helper', permission: 0, standing: { kind: 'role' } }
    const ctx = { ...callerCtx(), principal: { kind: 'account', id: 'helper', account } }
    return { ctx, record } as unknown as ConsoleCall
  }
  const appoint = (pause: () => Promise<void>) =>
    appointAdministrator({ ...deps, clock: world.clock }, call(pause), { userId: user.id, roleId })
  const rowOf = async () => usersStore.byId(deps.db, user.id)

  it('is not edited by an administrator beside', async () => {
    const change = { revision: user.revision, name: 'Taken over' }
    const edit = () => editUser(deps, call(), { id: user.id, change })
    expect(await atOnce(deps.db, appoint, edit)).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'PERMISSION_DENIED' } },
    ])
    expect(await rowOf()).toMatchObject({ name: user.name, revision: user.revision })
  })

  it('is not locked by an administrator beside, and is named', async () => {
    const lock = () => setUsersLocked(deps, call(), { ids: [user.id] }, true)
    expect(await atOnce(deps.db, appoint, lock)).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled', value: { changed: 0, failed: [{ id: user.id, code: 1008 }] } },
    ])
    expect(await rowOf()).toMatchObject({ locked: 0 })
  })
})
