import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSettings } from '../../foundation/settings/index.ts'
import { createQueue, type Queue } from '../../kernel/queue/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { beginBackup, beginDrill, beginScheduled, type BeginDeps } from './backups.service.ts'
import { backupsStore } from './backups.store.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

for (const { dialect, open } of DATABASES) {
  describe(`a backup that begins, on ${dialect}`, () => {
    let world: World
    let deps: BeginDeps
    /** The process ends before it adds the job. */
    let killed: BeginDeps
    let queue: Queue

    beforeEach(async () => {
      world = await open()
      const { database, clock, ids, bus, folder: data } = world
      const { db } = database
      queue = createQueue({ database, clock, ids, bus, random: secureRandom, log: SILENT })
      deps = { db, clock, ids, queue, settings: createSettings({ db, clock, log: SILENT }), data }
      killed = { ...deps, queue: { ...queue, add: () => Promise.reject(new Error('killed')) } }
      const isOn = { name: 'backup.switch', scope: 'site', scope_id: '', value: '1' } as const
      await db.insertInto('setting_values').values(isOn).execute()
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    const jobs = () => world.database.db.selectFrom('jobs').select('kind').execute()

    it('leaves nothing when the process ends before its job is there: the next look begins it', async () => {
      await expect(beginScheduled(killed)).rejects.toThrow('killed')
      await beginScheduled(deps)
      expect(await jobs()).toEqual([{ kind: 'backup.write' }])
      expect(await backupsStore.all(deps.db)).toMatchObject([{ state: 'running', occasion: 'schedule' }])
      await beginScheduled(deps)
      expect(await jobs()).toHaveLength(1)
    })

    it('can be drilled after the process ended before the job of a drill was there', async () => {
      const id = await beginBackup(deps, '')
      await backupsStore.change(deps.db, id, { state: 'done' })
      await expect(beginDrill(killed, id, '')).rejects.toThrow('killed')
      await beginDrill(deps, id, '')
      expect((await jobs()).map(({ kind }) => kind)).toContain('backup.drill')
    })
  })
}
