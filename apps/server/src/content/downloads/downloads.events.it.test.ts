import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storages } from '../../foundation/storages/index.ts'
import { createOutbox } from '../../kernel/events/index.ts'
import { createLog } from '../../kernel/log.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { DATABASES, openWorldStorages, type World } from '../../testing/worlds.ts'
import { createAccess, requireEntry, type Found } from '../access/index.ts'
import { createDownloadReports, type ReportDownload } from './downloads.events.ts'

for (const { dialect, open } of DATABASES) {
  describe(`events of downloads on ${dialect}`, () => {
    let world: World
    let storages: Storages
    let report: ReportDownload
    const principal = userPrincipal()

    beforeEach(async () => {
      world = await open()
      storages = await openWorldStorages(world)
      const { clock, database } = world
      const { db } = database
      report = createDownloadReports({ db, clock, outbox: createOutbox({ db, clock, log: createLog('silent') }) })
      const home = path.join(world.folder, 'files/users/alice')
      fs.mkdirSync(path.join(home, 'folder'), { recursive: true })
      fs.writeFileSync(path.join(home, 'film'), 'seven b')
    })
    afterEach(async () => {
      await storages.close()
      await world[Symbol.asyncDispose]()
    })

    const found = async (name: string): Promise<Found> => {
      const place = { kind: 'personal', spaceId: 1 } as const
      return requireEntry(await createAccess({ storages }).open({ principal }, place, name, 'download'))
    }
    const events = async () => {
      const rows = await world.database.db.selectFrom('outbox').select(['type', 'payload']).orderBy('seq').execute()
      return rows.map(({ type, payload }) => ({ type, ...(JSON.parse(payload) as object) }))
    }

    it('name who, what and the door, one for each path', async () => {
      await report({ principal, door: 'page', found: [await found('/film'), await found('/folder')], start: 0 })
      const common = { type: 'file.downloaded', by: { kind: 'user', id: 'u' }, door: 'page', userId: 'u', spaceId: 1 }
      expect(await events()).toEqual([
        { ...common, groupId: 0, path: '/film', kind: 'file', size: 7, at: world.clock.now() },
        { ...common, groupId: 0, path: '/folder', kind: 'folder', size: null, at: world.clock.now() },
      ])
    })

    it('come once for a file that is read in pieces, and again after an hour or for another reader', async () => {
      const film = [await found('/film')]
      const read = (start: number, reader = principal) =>
        report({ principal: reader, door: 'http', found: film, start })
      await read(0)
      await read(3)
      await read(5)
      expect(await events()).toHaveLength(1)
      await read(3, userPrincipal({ id: 'tom' }))
      expect(await events()).toHaveLength(2)
      world.clock.advance(3_600_001)
      await read(3)
      await read(0)
      expect(await events()).toHaveLength(4)
    })
  })
}
