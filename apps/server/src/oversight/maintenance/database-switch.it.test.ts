import fs from 'node:fs'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { describe, expect, it } from 'vitest'
import { chooseDatabase, databaseUrl } from '../../kernel/config/index.ts'
import { connectDatabase } from '../../kernel/db/index.ts'
import { createLog } from '../../kernel/log.ts'
import { openWorld, type World } from '../../testing/worlds.ts'
import { copyDatabase, endCopy } from './database-copy.ts'
import { finishSwitch, lastSwitchFault, prepareSwitch } from './database-switch.ts'

const log = createLog('silent')
const configOf = ({ folder }: World, url = '') => ({ data: folder, 'database.url': url })
const addFacts = async ({ database }: Pick<World, 'database'>, count: number, prefix = 'n') =>
  database.db
    .insertInto('facts')
    .values(Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, value: 'x' })))
    .execute()

async function factsAt(url: string): Promise<number> {
  const database = connectDatabase(url)
  try {
    return (await database.db.selectFrom('facts').select('name').where('name', 'like', 'n%').execute()).length
  } finally {
    await database.close()
  }
}

describe('a copy of the database', () => {
  it('goes on after it was broken off at any table, and mends rows that changed, came or went meanwhile', async () => {
    await using world = await openWorld()
    await addFacts(world, 2_500)
    const url = await mariadbUrl()
    const target = connectDatabase(url)
    try {
      for (const breakAt of ['facts', 'storages', 'users']) {
        const broken = new AbortController()
        const onProgress = (table: string, copied: number) => {
          if (table === breakAt && (copied > 0 || breakAt !== 'facts')) broken.abort(new Error('broken off'))
        }
        await expect(copyDatabase(world.database, target, { signal: broken.signal, onProgress })).rejects.toThrow(
          'broken',
        )
        const { db } = world.database
        await db.updateTable('facts').set({ value: breakAt }).where('name', '=', 'n7').execute()
        await db.deleteFrom('facts').where('name', '=', `n${breakAt.length}`).execute()
        await addFacts(world, 1, `n-${breakAt}`)
      }
      const tables = await copyDatabase(world.database, target, { signal: new AbortController().signal })
      expect(tables.filter(({ equal }) => !equal)).toEqual([])
      expect(tables.find(({ table }) => table === 'facts')).toMatchObject({ rows: 2_501 })
      // Once a server has it, nothing is copied over it.
      await endCopy(target)
      await target.db
        .insertInto('spaces')
        .values({
          ...(await world.database.db.selectFrom('spaces').selectAll().executeTakeFirstOrThrow()),
          id: 7,
          name_key: 'seven',
        })
        .execute()
      await expect(copyDatabase(world.database, target, { signal: new AbortController().signal })).rejects.toThrow(
        'not empty',
      )
    } finally {
      await target.close()
    }
  })
})

describe('a switch to another database', () => {
  it('is carried out at the next start, with what was written since the copy, and once', async () => {
    await using world = await openWorld()
    const url = await mariadbUrl()
    const target = connectDatabase(url)
    await copyDatabase(world.database, target, { signal: new AbortController().signal })
    await target.close()
    await addFacts(world, 3)
    expect(databaseUrl(configOf(world))).toMatch(/^sqlite:/)
    prepareSwitch(world.folder, url)
    await finishSwitch(configOf(world), log)
    expect(databaseUrl(configOf(world))).toBe(url)
    expect([await factsAt(url), lastSwitchFault(world.folder)]).toEqual([3, ''])
    expect(fs.statSync(path.join(world.folder, 'database.url')).mode & 0o777).toBe(0o600)
    // A crash between naming the new database and forgetting the order: the old one must not be copied over the new one.
    await addFacts(world, 2, 'n-old')
    prepareSwitch(world.folder, url)
    await finishSwitch(configOf(world), log)
    expect([await factsAt(url), databaseUrl(configOf(world))]).toEqual([3, url])
    expect(fs.readdirSync(world.folder).filter((name) => name.startsWith('database-switch'))).toEqual([])
  })

  it.each([
    ['unreachable', async (url: string) => Promise.resolve(url.replace(/:\d+\//, ':1/'))],
    ['missing', async (url: string) => Promise.resolve(`${url}_none`)],
    [
      'another installation',
      async (url: string) => {
        await using other = await openWorld(url)
        const row = await other.database.db.selectFrom('spaces').selectAll().executeTakeFirstOrThrow()
        await other.database.db
          .insertInto('spaces')
          .values({ ...row, id: 9, name_key: 'nine' })
          .execute()
        return url
      },
    ],
  ] as const)(
    'leaves the database as it is when the target is %s, and says why without the password',
    async (_, make) => {
      await using world = await openWorld()
      const url = await make(await mariadbUrl())
      prepareSwitch(world.folder, url)
      await finishSwitch(configOf(world), log)
      expect(databaseUrl(configOf(world))).toMatch(/^sqlite:/)
      expect(lastSwitchFault(world.folder)).not.toBe('')
    },
  )

  it('never falls back to the old database because the file that names the new one is damaged', async () => {
    await using world = await openWorld()
    chooseDatabase(world.folder, 'mysql://u:secret@db/x')
    expect(databaseUrl(configOf(world, 'mysql://other/x'))).toBe('mysql://other/x')
    fs.writeFileSync(path.join(world.folder, 'database.url'), '')
    expect(() => databaseUrl(configOf(world))).toThrow(/names no database/)
  })
})
