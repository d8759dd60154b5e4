import fs from 'node:fs'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSettings, createSettingsEditor, settingRegistry } from '../../foundation/settings/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { migrateToLatest } from '../../kernel/db/index.ts'
import { createOutbox } from '../../kernel/events/index.ts'
import { defineFeature, type Declared } from '../../kernel/feature.ts'
import { createQueue } from '../../kernel/queue/index.ts'
import { runFeatures, type RunningFeatures } from '../../kernel/run-features.ts'
import { MIGRATIONS } from '../../migrations/index.ts'
import { userPrincipal } from '../principals.ts'
import { callerCtx, DATABASES, type World } from '../worlds.ts'
import type { FavoritesDeps } from './favorites.service.ts'
import { favoritesFeature } from './favorites.feature.ts'
import { migration } from './favorites.migration.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const RECIPE = path.join(import.meta.dirname, '../../../../../CONTRIBUTING.md')

for (const { dialect, open } of DATABASES) {
  describe(`the feature of the recipe on ${dialect}`, () => {
    let world: World
    let deps: FavoritesDeps
    let running: RunningFeatures
    let all: Declared | undefined

    beforeEach(async () => {
      world = await open()
      const { database, bus, ids } = world
      const { db } = database
      await migrateToLatest(database, { ...MIGRATIONS, '9999-favorites': migration })
      const outbox = createOutbox({ db, clock: systemClock, log: SILENT })
      const queue = createQueue({ database, clock: systemClock, random: secureRandom, ids, bus, log: SILENT })
      deps = { db, ids, outbox, queue, settings: createSettings({ db, clock: world.clock, log: SILENT }) }
      const carrier = defineFeature({
        name: 'carrier',
        async start(declared) {
          all = declared
          await Promise.resolve()
        },
      })
      const host = { outbox, queue, db, locks: world.locks, log: SILENT, sweep: async () => {} }
      running = await runFeatures(host, [favoritesFeature(deps), carrier])
    })
    afterEach(async () => {
      await running.stop()
      await world[Symbol.asyncDispose]()
    })

    const ctx = (): UserCtx => ({ ...callerCtx(), principal: userPrincipal({ id: 'mei' }) })
    const add = (file: string) => {
      world.clock.advance(1)
      return all?.operations[0]?.handle(ctx(), { path: file } as never)
    }
    const list = () => all?.endpoints[0]?.handle(ctx(), {} as never)

    it('works from its declaration alone: table, route, operation, event, job and setting', async () => {
      expect(await add('/a')).toEqual({ count: 1 })
      await add('/b')
      expect(await list()).toEqual({ paths: ['/b', '/a'] })
      const { clock, ids, database } = world
      const registry = settingRegistry(all?.settings ?? [])
      const editor = createSettingsEditor({ db: database.db, dialect: database.dialect, clock, ids, registry })
      const by = { kind: 'account', id: 'mei', isAdmin: false } as const
      await editor.set('favorites.max', 2, { target: { userId: 'mei' }, by, door: 'http' })
      await add('/c')
      await expect.poll(list).toEqual({ paths: ['/c', '/b'] })
    })
  })
}

describe('the recipe in CONTRIBUTING.md', () => {
  const recipe = fs.readFileSync(RECIPE, 'utf8')
  const files = fs.globSync('favorites.*.ts', { cwd: import.meta.dirname }).filter((name) => !name.endsWith('.test.ts'))
  it.each(files)('shows %s as it compiles', (name) => {
    expect(recipe).toContain(fs.readFileSync(path.join(import.meta.dirname, name), 'utf8').trim())
  })
})
