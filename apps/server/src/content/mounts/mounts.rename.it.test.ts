import { LIMITS } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mountsStore, type MountRow } from '../../identity/mounts/index.ts'
import { createUser, type UserRow } from '../../identity/users/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { atOnce } from '../../testing/at-once.ts'
import { openSignIns } from '../../testing/sign-ins.ts'
import { openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { removeMount, renameMount, type MountsDeps } from './mounts.service.ts'

const ORIGIN = { principalId: '', door: 'http' } as never

describe('virtual directories that two administrators change at once, on MariaDB', () => {
  let world: World
  let deps: MountsDeps
  let rows: MountRow[]
  beforeEach(async () => {
    world = await openWorld(await mariadbUrl())
    const { db } = world.database
    deps = { db, clock: world.clock, storages: await openWorldStorages(world), settled: () => Promise.resolve() }
    const user = await createUser(openSignIns(world).users, { account: 'mei', email: '', password: 'Moonlight-77' })
    rows = []
    for (const alias of ['one', 'two']) rows.push(await mount(user, alias))
  })
  afterEach(async () => world[Symbol.asyncDispose]())

  async function mount(user: UserRow, alias: string): Promise<MountRow> {
    const row = {
      ...{ user_id: user.id, space_id: LIMITS.defaultSpaceId, alias, alias_key: alias, storage_id: 1, path: alias },
      ...{ path_key: alias, permission: 1, created_at: 0, removed_at: null },
    }
    return { ...row, id: await inTransaction(deps.db, (tx) => mountsStore.insert(tx, row)) }
  }
  const rename = (at: number, alias: string) => (pause: () => Promise<void>) => {
    const row = rows[at]
    if (row === undefined) throw new Error('no such directory')
    return renameMount(deps, { row, alias, origin: ORIGIN }, pause)
  }
  const now = () => Promise.resolve()
  const aliases = async () => (await mountsStore.all(deps.db)).map(({ alias }) => alias)

  it('never have one name', async () => {
    expect(await atOnce(deps.db, rename(0, 'Same'), () => rename(1, 'same')(now))).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'ALIAS_PATH_DUPLICATE' } },
    ])
    expect(await aliases()).toEqual(['Same', 'two'])
  })

  it('keep the name that the first one gave', async () => {
    expect(await atOnce(deps.db, rename(0, 'first'), () => rename(0, 'second')(now))).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'PATH_NOT_FOUND' } },
    ])
    expect(await aliases()).toEqual(['first', 'two'])
  })

  it('stay away when they are removed', async () => {
    const [row] = rows
    if (row === undefined) throw new Error('no such directory')
    const remove = (pause: () => Promise<void>) => removeMount(deps, { row, origin: ORIGIN }, pause)
    expect(await atOnce(deps.db, remove, () => rename(0, 'late')(now))).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'PATH_NOT_FOUND' } },
    ])
  })
})
