import { secureRandom } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, type UserRow } from '../../identity/users/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import type { TransferRow } from './transfers.schema.ts'
import { transfersSearch } from './transfers.search.ts'
import { transfersStore } from './transfers.store.ts'

const FIRST_PAGE = { page: 1, size: 10 }

for (const { dialect, open } of DATABASES) {
  describe(`transfers on ${dialect}`, () => {
    let world: World
    let mei: UserRow
    beforeAll(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      const users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' } as const
      mei = await createUser(users, { account: 'Mei', email: '', password: 'Sunrise-42x' })
    }, 60_000)
    afterAll(async () => world[Symbol.asyncDispose]())

    const insert = async (change: Partial<TransferRow>): Promise<string> => {
      const row: TransferRow = {
        ...{ id: world.ids.next(), user_id: mei.id, direction: 'upload', space_id: 1, group_id: 0, folder: '/' },
        ...{ paths: '[]', label: 'Photos', task: '', session_id: '', api_token_id: '', stamp: '', state: 'completed' },
        ...{ is_paused: 0, error: '', files: 1, files_done: 1, bytes: 1, bytes_done: 1, bytes_per_second: 0 },
        ...{
          failures: 0,
          network_path: 'udp',
          path_reason: '',
          bottleneck: '',
          bottleneck_figures: '',
          device: 'Laptop',
        },
        ...{ address: '10.0.0.7', created_at: 1, updated_at: 1, finished_at: 1, expires_at: 1, started_at: 1 },
        ...{
          bytes_moved: 1,
          rate_kbps: 0,
          ceiling_kbps: 0,
          priority: 'normal',
          deadline: 0,
          late_ms: 0,
          door: 'transfer',
          is_cleared: 0,
          ...change,
        },
      }
      await transfersStore.insert(world.database.db, row)
      return row.id
    }

    it('are forgotten with their files once they ended long enough ago, and never while they go on', async () => {
      const { db } = world.database
      const old = await insert({ finished_at: 100 })
      const recent = await insert({ finished_at: 200 })
      const open = await insert({ finished_at: 0, state: 'interrupted' })
      await transfersStore.replaceFiles(db, old, [{ path: 'a', code: 'SOURCE_CHANGED' }])
      await transfersStore.replaceFiles(db, recent, [{ path: 'b', code: 'SOURCE_CHANGED' }])
      expect(await transfersStore.forget(db, 200)).toBe(1)
      expect(await transfersStore.forget(db, 200)).toBe(0)
      expect(await transfersStore.byId(db, old)).toBeUndefined()
      expect(await transfersStore.files(db, old)).toEqual([])
      expect(await transfersStore.files(db, recent)).toEqual([{ path: 'b', code: 'SOURCE_CHANGED' }])
      expect(await transfersStore.byId(db, open)).toBeDefined()
    })

    it('keep the first thousand failed files of the last run', async () => {
      const { db } = world.database
      const id = await insert({})
      await transfersStore.replaceFiles(db, id, [{ path: 'first run', code: 'DISK_FULL' }])
      const failures = Array.from({ length: 1_200 }, (_, at) => ({ path: `文件 ${at}`, code: 'TARGET_UNWRITABLE' }))
      await transfersStore.replaceFiles(db, id, failures)
      expect(await transfersStore.files(db, id)).toEqual(failures.slice(0, 1_000))
    })

    it('are found by a part of the account, the name, the device or the address, within a scope', async () => {
      const { db } = world.database
      await insert({ label: 'Wedding', device: 'Studio', address: '10.9.9.9', state: 'running', finished_at: 0 })
      const find = async (text: string, onlyUserId?: string) =>
        (await transfersSearch.page(db, { text, isLive: true, onlyUserId }, FIRST_PAGE)).rows.map(({ name }) => name)
      for (const text of ['wedd', 'studio', '10.9.9', 'mei']) expect(await find(text)).toContain('Wedding')
      expect(await find('100%_absent')).toEqual([])
      expect(await find('wedding', 'somebody else')).toEqual([])
    })
  })
}
