import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refused } from '../../foundation/installation/index.ts'
import { createUser } from '../../identity/users/index.ts'
import { loadConfig } from '../../kernel/config/index.ts'
import { connectDatabase, type Database } from '../../kernel/db/index.ts'
import { createLog } from '../../kernel/log.ts'
import { startApp } from '../../start-app.ts'
import { openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { writeBackup } from './backup.service.ts'
import { copyDatabase, endCopy, markCopied } from './database-copy.ts'
import { restoreBackup } from './restore.service.ts'
import { requireWholeDatabase, RESTORE_MARK } from './unfinished.ts'

const never = new AbortController().signal

describe('a database that is being filled', () => {
  let world: World
  const opened: Database[] = []
  beforeEach(async () => {
    world = await openWorld()
    const { database, clock, ids, bus } = world
    const users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' as const }
    await createUser(users, { account: 'mei', email: '', password: 'Sunrise-42x' })
  })
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
    await world[Symbol.asyncDispose]()
  })
  const open = (url: string): Database => {
    const database = connectDatabase(url)
    opened.push(database)
    return database
  }

  it('by a restore is not served until the last file is there', async () => {
    const storages = await openWorldStorages(world)
    const { database, clock, folder: data } = world
    fs.mkdirSync(path.join(data, 'files/kept'))
    for (const name of ['a', 'b']) fs.writeFileSync(path.join(data, 'files/kept', name), name)
    const file = path.join(data, 'backup.tar')
    await writeBackup({ database, storages, data, clock, random: secureRandom, signal: never }, file, { force: false })
    await storages.close()
    const restore = async (name: string, signal: AbortSignal, onFiles: () => void) => {
      const place = path.join(data, name)
      const target = open(`sqlite:${path.join(place, 'godwit.db')}`)
      const into = (): string => {
        onFiles()
        return path.join(place, 'files')
      }
      const deps = { database: target, data: place, reserveBytes: 0, clock, random: secureRandom, signal, into }
      await restoreBackup(deps, file).catch((thrown: unknown) => expect(thrown).toBe(signal.reason))
      return target
    }
    const cut = new AbortController()
    const broken = await restore('broken', cut.signal, () => cut.abort(new Error('a power cut')))
    expect(await broken.db.selectFrom('users').select('account').execute()).toEqual([{ account: 'mei' }])
    await expect(requireWholeDatabase(broken)).rejects.toThrow(Refused)
    await expect(requireWholeDatabase(await restore('whole', never, () => undefined))).resolves.toBeUndefined()
  })

  it('by a copy is not served until every table is equal', async () => {
    const url = await mariadbUrl()
    const target = open(url)
    const cut = new AbortController()
    const onProgress = (table: string): void => {
      if (table === 'users') cut.abort(new Error('a power cut'))
    }
    await expect(copyDatabase(world.database, target, { signal: cut.signal, onProgress })).rejects.toThrow('power cut')
    await expect(requireWholeDatabase(target)).rejects.toThrow(Refused)
    await copyDatabase(world.database, target, { signal: never })
    await expect(requireWholeDatabase(target)).rejects.toThrow(Refused)
    await markCopied(target)
    await expect(requireWholeDatabase(target)).resolves.toBeUndefined()
    await endCopy(target)
    await expect(requireWholeDatabase(target)).resolves.toBeUndefined()
  })

  it('keeps a server from starting', async () => {
    await world.database.db.insertInto('facts').values({ name: RESTORE_MARK, value: 'begun' }).execute()
    const { config } = loadConfig({
      environment: { GODWIT_DATA: world.folder, GODWIT_PORT: '0', GODWIT_STORAGE_RESERVE_BYTES: '0' },
      flags: {},
      readSecret: () => '',
    })
    const starting = startApp({ config, log: createLog('silent'), web: undefined, documentation: undefined })
    await expect(starting).rejects.toThrow('A restore into this database was broken off')
  })

  it('without tables is a new one', async () => {
    const empty = open(`sqlite:${path.join(world.folder, 'empty/godwit.db')}`)
    await expect(requireWholeDatabase(empty)).resolves.toBeUndefined()
  })
})
