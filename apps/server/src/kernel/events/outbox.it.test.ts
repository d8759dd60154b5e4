import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createOutbox, type Outbox } from './outbox.ts'

/** Only bounds a hanging test; no test waits for it when all is well. */
const PATIENT = { timeout: 30_000 }
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

function committed(path: string) {
  return { userId: 'u', spaceId: 1, path, size: 1 }
}

for (const { dialect, open } of DATABASES) {
  describe(`durable events on ${dialect}`, () => {
    let world: World
    let outbox: Outbox
    let seen: string[]
    let tell: (path: string) => void

    beforeEach(async () => {
      world = await open()
      outbox = createOutbox({ db: world.database.db, clock: world.clock, log: SILENT })
      seen = []
      tell = (path) => void seen.push(path)
      outbox.on('file.committed', async ({ path }) => {
        tell(path)
        await Promise.resolve()
      })
    })
    afterEach(async () => {
      await outbox.stop()
      await world[Symbol.asyncDispose]()
    })

    const left = async () => (await world.database.db.selectFrom('outbox').select('seq').execute()).length

    it('are delivered once each, in order of commit', async () => {
      const paths = Array.from({ length: 450 }, (_, index) => `/f${index}`)
      await world.database.db.transaction().execute(async (tx) => {
        for (const path of paths) await outbox.add(tx, 'file.committed', committed(path))
      })
      outbox.start()
      await expect.poll(left, PATIENT).toBe(0)
      expect(seen).toEqual(paths)
    })
    it('are not told when their transaction is rolled back', async () => {
      await world.database.db
        .transaction()
        .execute(async (tx) => {
          await outbox.add(tx, 'file.committed', committed('/never'))
          throw new Error('rolled back')
        })
        .catch(() => undefined)
      await outbox.add(world.database.db, 'file.committed', committed('/kept'))
      outbox.start()
      await expect.poll(left, PATIENT).toBe(0)
      expect(seen).toEqual(['/kept'])
    })
    it('wait in line while a subscriber fails, and go on where they stopped', async () => {
      let broken = true
      tell = (path) => {
        if (path === '/second' && broken) throw new Error('not now')
        seen.push(path)
      }
      for (const path of ['/first', '/second', '/third'])
        await outbox.add(world.database.db, 'file.committed', committed(path))
      outbox.start()
      await expect.poll(left, PATIENT).toBe(2)
      broken = false
      outbox.nudge()
      await expect.poll(left, PATIENT).toBe(0)
      expect(seen).toEqual(['/first', '/second', '/third'])
    })
    it('committed before the start are delivered after it', async () => {
      await outbox.add(world.database.db, 'file.committed', committed('/late'))
      outbox.start()
      await expect.poll(left, PATIENT).toBe(0)
      expect(seen).toEqual(['/late'])
    })
  })
}
