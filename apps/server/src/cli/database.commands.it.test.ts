import fs from 'node:fs'
import path from 'node:path'
import { systemClock } from '@godwit/base'
import { mariadbUrl } from '@godwit/testkit/engines'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { lockDataFolder } from '../foundation/installation/index.ts'
import { connectDatabase, migrateToLatest } from '../kernel/db/index.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { EXIT } from './exit-codes.ts'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit, file, addUser, databaseAt } = site

/** The call that copies the database there, its password in a file. */
function copyTo(url: string): string {
  const target = new URL(url)
  const password = file('database-password', decodeURIComponent(target.password))
  target.password = ''
  return `db copy ${target.href} --password-file ${password}`
}

describe('godwit db status', () => {
  it('names the steps of the next start, makes none of them, and says when there are none', async () => {
    const data = path.join(site.world.folder, 'older')
    fs.mkdirSync(data)
    const [last = ''] = Object.keys(MIGRATIONS).toSorted().toReversed()
    const older = connectDatabase(`sqlite:${path.join(data, 'godwit.db')}`)
    await migrateToLatest(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== last)))
    const steps = async () => (await sql`select name from kysely_migration`.execute(older.db)).rows.length
    const before = await steps()
    expect(await godwit(`db status --json --data ${data}`)).toBe(EXIT.problems)
    expect(JSON.parse(site.out)).toEqual({ pending: [last] })
    expect([await steps(), before]).toEqual([before, Object.keys(MIGRATIONS).length - 1])
    await older.close()
    expect(await godwit(`user list --data ${data}`)).toBe(0)
    expect(await godwit(`db status --data ${data}`)).toBe(0)
    expect(site.out).toContain('up to date')
    expect(await godwit(`db status --data ${path.join(site.world.folder, 'nowhere')}`)).toBe(EXIT.notFound)
  })
  it.each([
    ['sqlite', () => Promise.resolve(`sqlite:${path.join(site.world.folder, 'godwit.db')}`)],
    ['mysql', mariadbUrl],
  ])('and every other command leave a database of a newer version alone, on %s', async (_dialect, urlOf) => {
    const url = await urlOf()
    const environment = {
      GODWIT_DATA: site.world.folder,
      ...(url.startsWith('mysql:') ? { GODWIT_DATABASE_URL: url } : {}),
    }
    const newer = connectDatabase(url)
    await migrateToLatest(newer, MIGRATIONS)
    await sql`insert into kysely_migration (name, timestamp) values ('9999_to_come', '2030-01-01')`.execute(newer.db)
    for (const words of ['db status', 'user list', 'serve --port 0']) {
      expect(await godwit(words, { environment }), words).toBe(EXIT.refused)
      expect(site.err).toContain('a newer version of Godwit has changed the database (9999_to_come)')
    }
    await newer.close()
  })
})

describe('godwit db revert', () => {
  const known = Object.keys(MIGRATIONS).toSorted().slice(0, -1)
  const before = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => known.includes(name)))

  /** An installation of the version before this one. */
  async function olderInstallation(): Promise<string> {
    const data = path.join(site.world.folder, 'older')
    fs.mkdirSync(data)
    const older = connectDatabase(`sqlite:${path.join(data, 'godwit.db')}`)
    await migrateToLatest(older, before)
    await older.close()
    return data
  }

  it('takes an installation back to the version before the upgrade, with what it had then', async () => {
    const data = await olderInstallation()
    const account = (name: string) =>
      `user add --account ${name} --password-file ${file('pw', 'Sunrise-42x')} --data ${data}`
    expect(await godwit(`db revert --data ${data}`)).toBe(EXIT.notFound)
    expect(await godwit(account('since'))).toBe(0)
    expect(await godwit(`db revert --data ${data}`)).toBe(0)
    const reverted = connectDatabase(`sqlite:${path.join(data, 'godwit.db')}`)
    await migrateToLatest(reverted, before)
    expect(await reverted.db.selectFrom('users').select('account').execute()).toEqual([])
    const { rows } = await sql<{ readonly name: string }>`select name from kysely_migration`.execute(reverted.db)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(known)
    await reverted.close()
    // What was upgraded is not thrown away.
    const upgraded = connectDatabase(`sqlite:${path.join(data, 'godwit.db.upgraded')}`)
    expect(await upgraded.db.selectFrom('users').select('account').execute()).toEqual([{ account: 'since' }])
    await upgraded.close()
    // And forward again.
    expect(await godwit(account('again'))).toBe(0)
    await godwit(`user list --json --data ${data}`)
    expect(JSON.parse(site.out)).toMatchObject([{ account: 'again' }])
  })
  it('leaves a running server alone, and goes on where it was broken off', async () => {
    const data = await olderInstallation()
    expect(await godwit(`user list --data ${data}`)).toBe(0)
    const lock = lockDataFolder(data, systemClock)
    expect(await godwit(`db revert --data ${data}`)).toBe(EXIT.refused)
    lock.release()
    fs.renameSync(path.join(data, 'godwit.db'), path.join(data, 'godwit.db.upgraded'))
    expect(await godwit(`db revert --data ${data}`)).toBe(0)
    const reverted = connectDatabase(`sqlite:${path.join(data, 'godwit.db')}`)
    await migrateToLatest(reverted, before)
    await reverted.close()
  })
  it('has no copy of a database server', async () => {
    expect(await godwit('db revert', { environment: databaseAt(await mariadbUrl()) })).toBe(EXIT.usage)
    expect(site.err).toContain('restore the backup of before the upgrade')
  })
})

describe('godwit db copy', () => {
  it('copies to MariaDB with equal counts and hashes, and goes on after a break', async () => {
    await addUser('admin')
    const url = await mariadbUrl()
    const broken = new AbortController()
    broken.abort(new Error('interrupted'))
    expect(await godwit(copyTo(url), { signal: broken.signal })).toBe(130)
    expect(await godwit(`${copyTo(url)} --json`)).toBe(0)
    expect(JSON.parse(site.out)).toMatchObject({ equal: true })
    const target = connectDatabase(url)
    expect(await target.db.selectFrom('users').select('account').execute()).toEqual([{ account: 'admin' }])
    await target.close()
  })
  it('refuses a target that holds another installation', async () => {
    await addUser('admin')
    const url = await mariadbUrl()
    const there = { environment: databaseAt(url) }
    expect(await godwit(`user add --account other --password-file ${file('pw', 'Sunrise-42x')}`, there)).toBe(0)
    expect(await godwit(copyTo(url))).toBe(5)
    expect(await godwit('space list --json', there)).toBe(0)
    expect(JSON.parse(site.out)).toHaveLength(1)
  })
  it('says why a database cannot be used', async () => {
    const folder = path.join(site.world.folder, 'damaged')
    fs.mkdirSync(folder)
    fs.writeFileSync(path.join(folder, 'godwit.db'), 'no database'.repeat(500))
    const url = await mariadbUrl()
    const [user = ''] = /(?<=\/\/)[^@]+/.exec(url) ?? []
    for (const [environment, why] of [
      [{ GODWIT_DATA: folder }, 'file is not a database'],
      [databaseAt(`${url}_none`), 'Unknown database'],
      [databaseAt(url.replace(user, 'stranger:wrong')), 'denied for user'],
    ] as const) {
      expect([why, await godwit('user list', { environment })]).toEqual([why, EXIT.unavailable])
      expect(site.err).toMatch(/^godwit user list: the database cannot be used: [^\n]+\n$/)
      expect(site.err).toContain(why)
    }
  })
  it('says that the database cannot be reached', async () => {
    expect(await godwit('user list --database-url mysql://root@127.0.0.1:1/none')).toBe(6)
  })
})
