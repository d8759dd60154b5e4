import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CONFIG_KEYS, environmentName, flagName } from '../kernel/config/index.ts'
import { lockDataFolder } from '../foundation/installation/index.ts'
import { VAULT_KEY } from '../kernel/crypto/index.ts'
import { connectDatabase, migrateToLatest } from '../kernel/db/index.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { mayMount, mountSmallDisk } from '../testing/loop-disks.ts'
import { openWorld, type World } from '../testing/worlds.ts'
import type { Io } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { pngOf } from '../testing/images.ts'
import { COMMANDS, runCli } from './run.ts'

let world: World
let out: string
let err: string

beforeEach(async () => {
  world = await openWorld()
})
afterEach(async () => world[Symbol.asyncDispose]())

async function godwit(words: string, change: Partial<Io> = {}): Promise<number> {
  out = ''
  err = ''
  const io: Io = {
    stdout: (text) => void (out += text),
    stderr: (text) => void (err += text),
    environment: { GODWIT_DATA: world.folder },
    clock: systemClock,
    random: secureRandom,
    signal: new AbortController().signal,
    ...change,
  }
  return runCli(
    words.split(' ').filter((word) => word !== ''),
    io,
  )
}

function file(name: string, content: string): string {
  const target = path.join(world.folder, name)
  fs.writeFileSync(target, content)
  return target
}

async function addUser(account: string): Promise<number> {
  return godwit(
    `user add --account ${account} --email ${account}@example.org --password-file ${file('pw', 'Sunrise-42x\n')}`,
  )
}

/** The environment of a call that uses another database. */
function databaseAt(url: string): Io['environment'] {
  return { GODWIT_DATA: world.folder, GODWIT_DATABASE_URL: url }
}

/** The call that copies the database there, its password in a file. */
function copyTo(url: string): string {
  const target = new URL(url)
  const password = file('database-password', decodeURIComponent(target.password))
  target.password = ''
  return `db copy ${target.href} --password-file ${password}`
}

describe('the operation log', () => {
  it('keeps each call that changes something, also a refused one, without the names of secret files', async () => {
    await addUser('admin')
    await addUser('mei')
    await godwit('user lock --account mei')
    await godwit('user lock --account nobody')
    await godwit('user list')
    await godwit('user remove --account mei')
    const database = connectDatabase(`sqlite:${path.join(world.folder, 'godwit.db')}`)
    const rows = await database.db.selectFrom('operation_log').selectAll().orderBy('seq').execute()
    await database.close()
    expect(rows.map(({ operation, target, result }) => `${operation} ${target} ${result}`)).toEqual([
      'user.add admin ok',
      'user.add mei ok',
      'user.lock mei ok',
      'user.remove mei ok',
    ])
    const [, added, locked, removed] = rows
    expect(locked).toMatchObject({ door: 'cli', target_kind: 'user', target_id: added?.target_id })
    expect(added?.target_id).not.toBe('')
    expect(removed?.target_id).toBe(added?.target_id)
    expect(JSON.parse(added?.state_after ?? '')).toEqual({ account: 'mei', email: 'mei@example.org' })
    expect(locked?.actor).not.toBe('')
    expect(await godwit('verify --log')).toBe(0)
  })
})

describe('godwit user', () => {
  it('makes the first account the super administrator and the next a user', async () => {
    expect(await addUser('admin')).toBe(0)
    expect(await addUser('mei')).toBe(0)
    await godwit('user list --json')
    expect(JSON.parse(out)).toMatchObject([
      { account: 'admin', role: 'super' },
      { account: 'mei', role: 'user', state: 'active' },
    ])
  })
  it('locks, unlocks and removes', async () => {
    await addUser('admin')
    await addUser('mei')
    for (const [command, state] of [
      ['lock', 'locked'],
      ['unlock', 'active'],
    ] as const) {
      expect(await godwit(`user ${command} --account MEI`)).toBe(0)
      await godwit('user list --json')
      expect(JSON.parse(out)).toMatchObject([{}, { state }])
    }
    expect(await godwit('user remove --account mei')).toBe(0)
    await godwit('user list --json')
    expect(JSON.parse(out)).toHaveLength(1)
  })
  it.each([
    ['user add --account admin --password-file {pw}', 5],
    ['user add --account x --password-file {pw}', 5],
    ['user add --account bob --type martian --password-file {pw}', 2],
    ['user add --account bob', 2],
    ['user add --account bob --password-file /no/such/file', 4],
    ['user add --account bob --email bob --password-file {pw}', 5],
    ['user lock --account nobody', 4],
    ['user lock --account admin', 5],
    ['user remove --account admin', 5],
    ['usr list', 2],
    ['user list --prot 3', 2],
    ['user list --port abc', 3],
    ['user', 2],
    ['user add --account', 2],
    ['user list --json=3', 2],
    ['completion tcsh', 2],
    ['db copy nowhere', 2],
    ['restore .', 5],
    ['serve --data /dev/null', 5],
    ['serve --data /proc/godwit', 4],
    ['serve --host 999.1.1.1 --port 0', 3],
    ['', 2],
  ])('%s ends with %i', async (words, code) => {
    await addUser('admin')
    expect(await godwit(words.replace('{pw}', file('pw', 'Sunrise-42x')))).toBe(code)
    expect(words === '' ? out : err).not.toBe('')
  })
  it.each([
    ['user add --account', '--account needs a value'],
    ['user list --json=3', '--json takes no value'],
    ['user', 'user second-factor-off'],
    ['user add --account bob --email bob --password-file {pw}', '[4029]'],
    ['serve --data /dev/null', '/dev/null: something else is already at this place'],
    ['serve --host 999.1.1.1 --port 0', 'host (from flag): 999.1.1.1 is no address of this machine'],
  ])('%s says what is wrong: %s', async (words, text) => {
    await addUser('admin')
    await godwit(words.replace('{pw}', file('pw', 'Sunrise-42x')))
    expect(err).toContain(text)
    expect(err).not.toContain('    at ')
  })
  it.each([
    ['GODWIT_ADMIN_ACCOUNT', 'boss', 'admin.password'],
    ['GODWIT_ADMIN_PASSWORD', 'Sunrise-42x', 'admin.account'],
  ])('does not serve with %s alone', async (name, value, field) => {
    const environment = { GODWIT_DATA: world.folder, [name]: value }
    expect(await godwit('serve --port 0', { environment })).toBe(EXIT.refused)
    expect(err).toContain(`"field":"${field}"`)
  })
  it('names the port that somebody else has', async () => {
    const server = net.createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as net.AddressInfo
    expect(await godwit(`serve --port ${port}`)).toBe(EXIT.config)
    expect(err).toContain(`port (from flag): 127.0.0.1:${port} is taken`)
    server.close()
  })
  it.each([
    'user list',
    'user lock --account mei',
    'backup {tar}',
    'verify',
    'space list',
    'admin recover --password-file {pw}',
  ])('%s does not take a mistyped folder for an empty installation', async (words) => {
    const nowhere = path.join(world.folder, 'nowhere')
    const call = words.replace('{tar}', path.join(world.folder, 'x.tar')).replace('{pw}', file('pw', 'Sunrise-42x'))
    expect(await godwit(`${call} --data ${nowhere}`)).toBe(EXIT.notFound)
    expect(err).toContain('nothing is installed in')
    expect(fs.existsSync(nowhere)).toBe(false)
    expect(fs.existsSync(path.join(world.folder, 'x.tar'))).toBe(false)
  })
  it('names the nearest command and option', async () => {
    await godwit('usr list')
    expect(err).toContain("Did you mean 'user list'?")
    await godwit('user list --prot 3')
    expect(err).toContain('did you mean --port?')
  })
  it('gives a forgotten administrator a new password and an open account', async () => {
    await addUser('admin')
    await world.database.db.updateTable('users').set({ locked: 1 }).execute()
    const before = await world.database.db.selectFrom('users').select('password_hash').executeTakeFirst()
    expect(await godwit(`admin recover --password-file ${file('new', 'Moonlight-7')}`)).toBe(0)
    const after = await world.database.db.selectFrom('users').selectAll().executeTakeFirst()
    expect(after?.locked).toBe(0)
    expect(after?.password_hash).not.toBe(before?.password_hash)
  })
})

describe('godwit config', () => {
  it('prints every setting with its source and masks secrets', async () => {
    const environment = { GODWIT_DATA: world.folder, GODWIT_ADMIN_PASSWORD: 'a-secret-value' }
    expect(await godwit('config print --json --port 9', { environment })).toBe(0)
    expect(out).not.toContain('a-secret-value')
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ name: 'port', value: 9, source: 'flag' }))
  })
  it('prints which database is used, and how to name another one, without its password', async () => {
    await godwit('config print')
    expect(out).toMatch(/^database\.url +sqlite:\S+\/godwit\.db +default +GODWIT_DATABASE_URL$/m)
    await godwit('config print', { environment: databaseAt('mysql://files:a-secret-value@db:3306/godwit') })
    expect(out).toMatch(/^database\.url +mysql:\/\/files:\*+@db:3306\/godwit +environment +GODWIT_DATABASE_URL$/m)
    expect(out).not.toContain('a-secret-value')
  })
  it('refuses a variable that is no setting', async () => {
    const environment = { GODWIT_DATA: world.folder, GODWIT_DATABASE: 'mysql://db/x' }
    expect(await godwit('serve', { environment })).toBe(EXIT.config)
    expect(err).toContain('GODWIT_DATABASE (from environment): no such setting; did you mean GODWIT_DATA')
  })
  it.each([
    ['--admin-password Planted-1x', 'admin.password'],
    ['--mail-password Planted-1x', 'mail.password'],
    ['--database-url mysql://root:Planted-1x@db/godwit', 'database.url'],
    ['--redis-url redis://:Planted-1x@cache', 'redis.url'],
  ])('takes no secret from where the list of processes shows it: %s', async (flag, key) => {
    expect(await godwit(`serve ${flag}`)).toBe(EXIT.config)
    expect(err).toContain(`${key} (from flag): the list of processes would show this secret`)
    expect(err).not.toContain('Planted')
  })
  it('has no option that takes a secret itself', () => {
    const options = COMMANDS.flatMap(({ options: own }) => Object.entries(own))
    const secret = options.filter(([name, { value }]) => value !== undefined && /password|secret|token/.test(name))
    expect(secret.length).toBeGreaterThan(3)
    for (const [name, { value }] of secret) expect([name, value]).toEqual([expect.stringMatching(/-file$/), 'FILE'])
  })
  it.each(['{', '[]', '{"prot": 1}', '{"port": -1}'])('refuses the file %s naming what is wrong', async (content) => {
    expect(await godwit(`config validate --config ${file('broken.json', content)}`)).toBe(3)
    expect(err).toMatch(/godwit: /)
  })
})

describe('help', () => {
  it.each(COMMANDS.map(({ name }) => name))('of %s has an example', async (name) => {
    expect(await godwit(`${name} --help`)).toBe(0)
    expect(out).toContain('Examples:\n  ')
  })
  it.each(['bash', 'zsh', 'fish', 'powershell'])('completes every command in %s', async (shell) => {
    await godwit(`completion ${shell}`)
    for (const { name } of COMMANDS) for (const word of name.split(' ')) expect(out).toContain(word)
  })
  it('is a manual page, too, with every command, setting and exit code', async () => {
    expect(await godwit('man')).toBe(0)
    const page = file('godwit.1', out)
    expect(execFileSync('mandoc', ['-T', 'lint', '-W', 'warning', page], { encoding: 'utf8' })).toBe('')
    const read = execFileSync('mandoc', ['-T', 'utf8', '-O', 'width=500', page], { encoding: 'utf8' })
    // Bold letters are struck over.
    const words = read.replaceAll(/.\u0008/g, '')
    for (const { name, summary } of COMMANDS) {
      expect(words).toContain(`godwit ${name}`)
      expect(words).toContain(`${summary}.`)
    }
    // A tag stands at the beginning of a line.
    const tags = words.split('\n').map((line) => line.trim().split(' ')[0])
    for (const [key, { secret }] of Object.entries(CONFIG_KEYS))
      expect(tags).toContain(secret === 'all' ? environmentName(key) : `--${flagName(key)}`)
    for (const code of Object.values(EXIT)) expect(tags).toContain(String(code))
  })
})

describe('godwit db status', () => {
  it('names the steps of the next start, makes none of them, and says when there are none', async () => {
    const data = path.join(world.folder, 'older')
    fs.mkdirSync(data)
    const [last = ''] = Object.keys(MIGRATIONS).toSorted().toReversed()
    const older = connectDatabase(`sqlite:${path.join(data, 'godwit.db')}`)
    await migrateToLatest(older, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== last)))
    const steps = async () => (await sql`select name from kysely_migration`.execute(older.db)).rows.length
    const before = await steps()
    expect(await godwit(`db status --json --data ${data}`)).toBe(EXIT.problems)
    expect(JSON.parse(out)).toEqual({ pending: [last] })
    expect([await steps(), before]).toEqual([before, Object.keys(MIGRATIONS).length - 1])
    await older.close()
    expect(await godwit(`user list --data ${data}`)).toBe(0)
    expect(await godwit(`db status --data ${data}`)).toBe(0)
    expect(out).toContain('up to date')
    expect(await godwit(`db status --data ${path.join(world.folder, 'nowhere')}`)).toBe(EXIT.notFound)
  })
  it.each([
    ['sqlite', () => Promise.resolve(`sqlite:${path.join(world.folder, 'godwit.db')}`)],
    ['mysql', mariadbUrl],
  ])('and every other command leave a database of a newer version alone, on %s', async (_dialect, urlOf) => {
    const url = await urlOf()
    const environment = {
      GODWIT_DATA: world.folder,
      ...(url.startsWith('mysql:') ? { GODWIT_DATABASE_URL: url } : {}),
    }
    const newer = connectDatabase(url)
    await migrateToLatest(newer, MIGRATIONS)
    await sql`insert into kysely_migration (name, timestamp) values ('9999_to_come', '2030-01-01')`.execute(newer.db)
    for (const words of ['db status', 'user list', 'serve --port 0']) {
      expect(await godwit(words, { environment }), words).toBe(EXIT.refused)
      expect(err).toContain('a newer version of Godwit has changed the database (9999_to_come)')
    }
    await newer.close()
  })
})

describe('godwit db revert', () => {
  const known = Object.keys(MIGRATIONS).toSorted().slice(0, -1)
  const before = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => known.includes(name)))

  /** An installation of the version before this one. */
  async function olderInstallation(): Promise<string> {
    const data = path.join(world.folder, 'older')
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
    expect(JSON.parse(out)).toMatchObject([{ account: 'again' }])
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
    expect(err).toContain('restore the backup of before the upgrade')
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
    expect(JSON.parse(out)).toMatchObject({ equal: true })
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
    expect(JSON.parse(out)).toHaveLength(1)
  })
  it('says why a database cannot be used', async () => {
    const folder = path.join(world.folder, 'damaged')
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
      expect(err).toMatch(/^godwit user list: the database cannot be used: [^\n]+\n$/)
      expect(err).toContain(why)
    }
  })
  it('says that the database cannot be reached', async () => {
    expect(await godwit('user list --database-url mysql://root@127.0.0.1:1/none')).toBe(6)
  })
})

describe('godwit backup and restore', () => {
  async function archive(): Promise<string> {
    await addUser('admin')
    const home = path.join(world.folder, 'files/users/admin/a folder')
    fs.mkdirSync(path.join(home, 'empty'), { recursive: true })
    fs.writeFileSync(path.join(home, '报告.bin'), Buffer.alloc(3_000_000, 7))
    fs.writeFileSync(path.join(home, 'zero'), '')
    const target = path.join(world.folder, 'backup.tar')
    expect(await godwit(`backup ${target}`)).toBe(0)
    return target
  }
  it('bring accounts and files back, byte for byte', async () => {
    const target = await archive()
    const elsewhere = path.join(world.folder, 'elsewhere')
    expect(await godwit(`restore ${target} --data ${elsewhere}`)).toBe(0)
    const home = path.join(elsewhere, 'files/users/admin/a folder')
    expect(fs.readFileSync(path.join(home, '报告.bin'))).toEqual(Buffer.alloc(3_000_000, 7))
    expect(fs.readdirSync(home).toSorted()).toEqual(['empty', 'zero', '报告.bin'])
    await godwit(`user list --json --data ${elsewhere}`)
    expect(JSON.parse(out)).toMatchObject([{ account: 'admin', role: 'super' }])
  })
  it('bring the key of the sealed secrets along', async () => {
    const key = (data: string) => fs.readFileSync(path.join(data, VAULT_KEY))
    const password = file('mail-password', 'Planted-Mail-8x\n')
    await godwit(`mail set --provider gmail --account files@example.org --password-file ${password}`)
    const elsewhere = path.join(world.folder, 'elsewhere')
    expect(await godwit(`restore ${await archive()} --data ${elsewhere}`)).toBe(0)
    expect(key(elsewhere)).toEqual(key(world.folder))
  })
  it('bring site settings, own images and spaces along', async () => {
    const logo = path.join(world.folder, 'logo.png')
    fs.writeFileSync(logo, pngOf(20, 20))
    for (const words of [`site set logo ${logo}`, 'site set position 9', 'space add Laboratory']) {
      expect(await godwit(words)).toBe(0)
    }
    const elsewhere = path.join(world.folder, 'elsewhere')
    expect(await godwit(`restore ${await archive()} --data ${elsewhere}`)).toBe(0)
    await godwit('site show --json')
    const here = (JSON.parse(out) as ReadonlyArray<{ name: string; value: unknown }>).find(
      ({ name }) => name === 'logo',
    )
    expect(here?.value).toMatch(/^\/customize\/logo\?v=[\da-f]{16}$/)
    await godwit(`site show --json --data ${elsewhere}`)
    expect(JSON.parse(out)).toContainEqual(here)
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ name: 'position', value: 9 }))
    await godwit(`space list --json --data ${elsewhere}`)
    expect(JSON.parse(out)).toMatchObject([
      { id: 1, members: 1 },
      { spaceName: 'Laboratory', members: 0 },
    ])
  })
  it('refuse an archive in which one byte differs, before writing anything', async () => {
    const target = await archive()
    const content = fs.readFileSync(target)
    const at = content.length >> 1
    content[at] = (content[at] ?? 0) ^ 1
    fs.writeFileSync(target, content)
    const elsewhere = path.join(world.folder, 'elsewhere')
    expect(await godwit(`restore ${target} --data ${elsewhere}`)).toBe(5)
    expect(fs.existsSync(path.join(elsewhere, 'files'))).toBe(false)
  })
  it('refuse an archive that was cut off', async () => {
    const target = await archive()
    fs.truncateSync(target, 1_000_000)
    expect(await godwit(`restore ${target} --data ${path.join(world.folder, 'elsewhere')}`)).toBe(5)
    expect(err).toContain('is no archive of godwit backup, or it is damaged')
  })
  it('refuse what is no archive at all', async () => {
    const target = file('some.bin', 'x'.repeat(5_000))
    expect(await godwit(`restore ${target} --data ${path.join(world.folder, 'elsewhere')}`)).toBe(5)
    expect(err).toContain('is no archive of godwit backup, or it is damaged')
  })
  it('end the uploads that were not finished, and give back what they had reserved', async () => {
    await addUser('admin')
    const { db } = world.database
    const { id: user_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const none = { grant_hash: null, grant_stamp: '', session_id: '', declared_hash: null, declared_sha256: null }
    const target = { space_id: 1, group_id: 0, root_key: 'users/admin', path: '/big', conflict: 'fail', metadata: '' }
    const store_upload = JSON.stringify({ id: 'a'.repeat(32), key: 'users/admin/big', partSize: 1 << 20 })
    const times = { created_at: 0, expires_at: Number.MAX_SAFE_INTEGER, last_modified: 0 }
    const sizes = { size: 9, part_size: 1 << 20, reserved_bytes: 9 }
    const row = { ...none, ...target, ...times, ...sizes, user_id, carrier: 'parts', pieces: '', store_upload }
    await db
      .insertInto('uploads')
      .values({ ...row, id: 'u'.repeat(32), state: 'open', fence: 0, publishing: null, result: null, origin: '' })
      .execute()
    await db
      .insertInto('upload_spans')
      .values({ upload_id: 'u'.repeat(32), start_at: 0, end_at: 4, nodes: '[]' })
      .execute()
    await db.insertInto('quotas').values({ user_id, used_bytes: 5, reserved_bytes: 9 }).execute()
    const elsewhere = path.join(world.folder, 'elsewhere')
    expect(await godwit(`restore ${await archive()} --data ${elsewhere}`)).toBe(0)
    expect(out).toContain('begin anew: 1.')
    expect(await godwit(`verify --data ${elsewhere}`)).toBe(0)
    const restored = connectDatabase(`sqlite:${path.join(elsewhere, 'godwit.db')}`)
    expect(await restored.db.selectFrom('uploads').select('state').execute()).toEqual([{ state: 'failed' }])
    expect(await restored.db.selectFrom('upload_spans').selectAll().execute()).toEqual([])
    expect(await restored.db.selectFrom('quotas').selectAll().execute()).toEqual([
      { user_id, used_bytes: 5, reserved_bytes: 0 },
    ])
    await restored.close()
  })
  it('take the place of an older archive when told to, and of nothing else ever', async () => {
    const target = await archive()
    const before = fs.statSync(target)
    expect(await godwit(`backup ${target}`)).toBe(EXIT.refused)
    expect(err).toContain('exists: choose another name, or replace it with --force')
    expect(fs.statSync(target)).toEqual(before)
    expect(await godwit(`backup ${target} --force`)).toBe(0)
    for (const place of [world.folder, '/dev/null']) {
      expect(await godwit(`backup ${place} --force`)).toBe(5)
      expect(err).toContain(`${place} is no file`)
    }
    expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true)
    expect(fs.existsSync('/dev/null.part')).toBe(false)
  })
  it.runIf(mayMount)('leave nothing behind on a disk that is full [mounts a disk]', async () => {
    await archive()
    await using disk = await mountSmallDisk(2)
    expect(await godwit(`backup ${path.join(disk.folder, 'x.tar')}`)).toBe(EXIT.unavailable)
    expect(err).toBe('godwit backup: the disk is full\n')
    expect(fs.readdirSync(disk.folder).filter((name) => name.startsWith('x.tar'))).toEqual([])
  })
  it.runIf(mayMount)('say that the disk to restore to is full [mounts a disk]', async () => {
    const target = await archive()
    await using disk = await mountSmallDisk(2)
    const words = `restore ${target} --data ${path.join(disk.folder, 'data')} --storage-reserve-bytes 0`
    expect(await godwit(words)).toBe(EXIT.unavailable)
    expect(err).toContain('full')
    expect(err.split('\n')).toHaveLength(2)
  })
  it('bring every folder back to its storage, which must be empty', async () => {
    await addUser('admin')
    const folder = `${world.folder}-second`
    expect(await godwit(`storage add --name Second --kind local --folder ${folder}`)).toBe(0)
    expect(await godwit('storage default 2')).toBe(EXIT.ok)
    fs.mkdirSync(path.join(folder, 'users/admin'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'users/admin/f'), 'content')
    const target = path.join(world.folder, 'two.tar')
    expect(await godwit(`backup ${target}`)).toBe(0)
    const elsewhere = path.join(world.folder, 'elsewhere')
    expect(await godwit(`restore ${target} --data ${elsewhere}`)).toBe(EXIT.refused)
    expect(err).toContain(`${folder} is not empty`)
    fs.renameSync(folder, `${folder}-old`)
    expect(await godwit(`restore ${target} --data ${elsewhere}`)).toBe(0)
    expect(fs.readFileSync(path.join(folder, 'users/admin/f'), 'utf8')).toBe('content')
    expect(await godwit(`storage test 2 --data ${elsewhere}`)).toBe(0)
    for (const place of [folder, `${folder}-old`]) fs.rmSync(place, { recursive: true })
  })
  it('never overwrite an installation', async () => {
    expect(await godwit(`restore ${await archive()}`)).toBe(5)
  })
})

describe('godwit support-bundle', () => {
  const SECRETS = {
    GODWIT_ADMIN_PASSWORD: 'Planted-owner-1x',
    GODWIT_MAIL_PASSWORD: 'Planted-mail-2x',
    GODWIT_REDIS_URL: 'redis://:Planted-redis-3x@127.0.0.1:1',
    PLANTED: 'Planted-environment-4x',
  }
  const environment = () => ({ GODWIT_DATA: world.folder, ...SECRETS })

  it('says what a helper needs, and no secret, account or path of a user', async () => {
    await addUser('planted.person')
    const database = connectDatabase(`sqlite:${path.join(world.folder, 'godwit.db')}`)
    const failed = {
      state: 'failed',
      error: 'FILE_BUSY',
      payload: '{"paths":["/planted-path"]}',
      progress: '{}',
    } as const
    const job = { id: 'one', kind: 'files.remove', owner_id: 'planted-owner', cancel_requested: 0, lease_owner: '' }
    const times = { lease_until: 0, attempts: 5, run_at: 0, deadline_at: 0, created_at: 1, updated_at: 2 }
    await database.db
      .insertInto('jobs')
      .values([
        { ...job, ...failed, ...times },
        { ...job, ...failed, ...times, id: 'two', error: 'Error: ENOENT: /planted-path', updated_at: 1 },
        { ...job, ...failed, ...times, id: 'three', error: 'planted words', updated_at: 0 },
        { ...job, ...failed, ...times, id: 'four', error: 'Planted: no such file', updated_at: -1 },
        { ...job, ...failed, ...times, id: 'five', error: 'PLANTED', updated_at: -2 },
      ])
      .execute()
    await database.db
      .insertInto('outbox_subscribers')
      .values({
        ...{ name: 'planner', position: 0, lease_owner: '', lease_until: 0, attempts: 1, retry_at: 0, seen_at: 1 },
        error: 'TypeError: planted is not a function',
      })
      .execute()
    const parked = { subscriber: 'planner', position: 1, type: 'file.created', payload: '{"path":"/planted-path"}' }
    await database.db
      .insertInto('outbox_parked')
      .values({ ...parked, error: 'Error: EACCES: /planted.pdf', attempts: 9, created_at: 1, parked_at: 2, retry: 0 })
      .execute()
    const settings = JSON.stringify({ endpoint: 'http://127.0.0.1:1', bucket: 'planted', accessKeyId: 'planted' })
    const bucket = { kind: 's3-compatible', settings, sealed_secret: 'planted', error: '' }
    await database.db
      .insertInto('storages')
      .values({ ...{ name: 'Planted', name_key: 'planted', revision: 1, created_at: 1 }, ...bucket })
      .execute()
    await database.close()
    const target = path.join(world.folder, 'bundle.json')
    expect(await godwit(`support-bundle ${target}`, { environment: environment() })).toBe(0)
    const text = fs.readFileSync(target, 'utf8')
    expect(text).not.toMatch(/planted/i)
    const bundle = JSON.parse(text) as Readonly<Record<string, unknown>>
    expect(bundle).toMatchObject({
      format: 'godwit-support-1',
      jobs: {
        failed: 5,
        newestFailures: [
          { kind: 'files.remove', attempts: 5, error: 'FILE_BUSY', failedAt: 2 },
          { error: 'Error', failedAt: 1 },
          { error: 'other', failedAt: 0 },
          { error: 'other', failedAt: -1 },
          { error: 'other', failedAt: -2 },
        ],
      },
      events: {
        subscribers: [{ name: 'planner', error: 'TypeError' }],
        parked: [{ subscriber: 'planner', type: 'file.created', attempts: 9, error: 'Error', parkedAt: 2 }],
      },
      storages: [
        { id: 1, kind: 'local' },
        { id: 2, kind: 's3-compatible' },
      ],
    })
    expect(bundle['configuration']).toContainEqual(
      expect.objectContaining({ name: 'admin.password', value: '********' }),
    )
    expect(bundle['findings']).toContainEqual(expect.objectContaining({ check: 'database' }))
    expect(fs.statSync(target).mode & 0o777).toBe(0o600)

    expect(await godwit(`support-bundle ${target}`)).toBe(EXIT.refused)
    expect(fs.readFileSync(target, 'utf8')).toBe(text)
    expect(await godwit(`support-bundle ${target} --force`)).toBe(0)
  })

  it('is written also where the database is away', async () => {
    const target = path.join(world.folder, 'bundle.json')
    const environment = databaseAt('mysql://root:Planted-6x@127.0.0.1:1/none')
    expect(await godwit(`support-bundle ${target}`, { environment })).toBe(0)
    const text = fs.readFileSync(target, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ jobs: { fault: expect.any(String) as string } })
    expect(text).not.toContain('Planted')
  })
})

describe('godwit doctor', () => {
  it('finds nothing wrong with a fresh folder but what nobody has set up yet', async () => {
    expect(await godwit('doctor --json --port 0')).toBe(0)
    const findings = JSON.parse(out) as Array<{ check: string; state: string; fix?: string }>
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check }) => check)).toEqual([
      'accounts',
      'mail',
      'address',
    ])
  })
  it('makes nothing where nothing is installed yet', async () => {
    const nowhere = path.join(world.folder, 'nowhere')
    expect(await godwit(`doctor --json --port 0 --data ${nowhere}`)).toBe(0)
    const findings = JSON.parse(out) as Array<{ check: string; state: string }>
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check }) => check)).toEqual([
      'database',
      'accounts',
      'mail',
      'address',
    ])
    expect(fs.existsSync(nowhere)).toBe(false)
  })
  it('says whether films can be made playable', async () => {
    expect(await godwit('doctor')).toBe(0)
    expect(out).toContain('/ffmpeg makes films playable that browsers cannot play')
    expect(await godwit('doctor --preview-video /nowhere/ffmpeg')).toBe(0)
    expect(out).toMatch(/warning +films +FFmpeg was not found/)
  })
  it('names an address that is not of this machine', async () => {
    expect(await godwit('doctor --host 999.1.1.1')).toBe(1)
    expect(out).toContain('problem  port         999.1.1.1 is no address of this machine')
  })
  it('names an unreachable database and what mends it', async () => {
    expect(await godwit('doctor --json --database-url mysql://root@127.0.0.1:1/none')).toBe(1)
    const findings = JSON.parse(out) as Array<{ check: string; state: string; fix?: string }>
    expect(findings.find(({ check }) => check === 'database')?.fix).toContain('GODWIT_DATABASE_URL')
  })
  it('passes on what the database says, without the password', async () => {
    const url = new URL(await mariadbUrl())
    url.username = 'stranger'
    url.password = 'Planted-Db-9x'
    expect(await godwit('doctor --json --port 0', { environment: databaseAt(url.href) })).toBe(1)
    const findings = JSON.parse(out) as Array<{ check: string; message: string }>
    expect(findings.find(({ check }) => check === 'database')?.message).toMatch(/Access denied for user 'stranger'/)
    expect(out).not.toContain('Planted')
  })
})

describe('godwit storage', () => {
  const bucket = 'storage add --name Bucket --kind s3-compatible --bucket none --endpoint http://127.0.0.1:1'

  it('asks for the secret of a bucket, and adds none that does not answer', async () => {
    expect(await godwit(`${bucket} --access-key id`)).toBe(EXIT.usage)
    expect(err).toContain('--secret-file is missing, and there is no terminal to ask at')
    const asked: string[] = []
    const askSecret = (question: string) => Promise.resolve(asked.push(question)).then(() => 'Planted-Secret-9x')
    expect(await godwit(`${bucket} --access-key id --path-style`, { askSecret })).toBe(EXIT.refused)
    expect(asked).toEqual(['Secret of the access key: '])
    expect(err).toContain('[4005] {"step":"list"}')
    await godwit('storage list --json')
    expect(JSON.parse(out)).toMatchObject([{ id: 1, name: 'Local', error: '' }])
    expect(out + err).not.toContain('Planted')
  })
  it('tests, chooses and removes', async () => {
    const folder = `${world.folder}-other`
    expect(await godwit(`storage add --name Other --kind local --folder ${folder}`)).toBe(0)
    for (const id of [1, 2]) expect(await godwit(`storage test ${id}`)).toBe(EXIT.ok)
    expect(await godwit('storage default 2')).toBe(0)
    expect(await godwit('storage remove 2')).toBe(EXIT.refused)
    expect(await godwit('storage default 1')).toBe(0)
    expect(await godwit('storage list')).toBe(0)
    expect(out).toMatch(/^1 +Local +local .*\n +spaces: 1 \(default\); places: 0; ok, 20/)
    expect(await godwit('storage remove 2')).toBe(0)
    expect(await godwit('storage test 2')).toBe(EXIT.refused)
    expect(err).toContain('[4007]')
    fs.rmSync(folder, { recursive: true })
  })
  it.each(['--kind nfs', '--kind local', '--kind local --folder here', '--kind local --folder /tmp/x --space 9'])(
    'refuses %s',
    async (words) => expect(await godwit(`storage add --name X ${words}`)).not.toBe(0),
  )
})

describe('godwit mail', () => {
  let smtp: Smtp
  beforeAll(async () => void (smtp = await launchSmtp()))
  afterAll(async () => smtp.stop())

  const set = (more: string) => `mail set --account files@example.org --smtp-host 127.0.0.1 ${more}`

  it('sets the sender of the system, shows it without its password, and tries it', async () => {
    expect(await godwit('mail show')).toBe(0)
    expect(out).toContain('no mail sender yet')
    expect(await godwit('mail test --to mei@example.org')).toBe(EXIT.refused)
    expect(err).toContain('[5430]')
    expect(await godwit(set(`--smtp-port ${smtp.plainPort} --encryption none`))).toBe(EXIT.refused)
    expect(err).toContain('emailPassword')
    const password = file('mail-password', 'Planted-Mail-8x\n')
    expect(await godwit(set(`--smtp-port ${smtp.plainPort} --encryption none --password-file ${password}`))).toBe(0)
    await godwit('mail show --json')
    expect(JSON.parse(out)).toMatchObject({ source: 'stored', account: 'files@example.org', passwordSet: true })
    expect(out).not.toContain('Planted')
    const rows = await world.database.db.selectFrom('mail_senders').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('Planted')
    expect(await godwit('mail test --to mei@example.org --outbound-allow 127.0.0.1')).toBe(0)
    expect((await smtp.mailTo('mei@example.org')).parsed.from?.address).toBe('files@example.org')
    expect(await godwit('mail test --to mei@example.org')).toBe(EXIT.refused)
    expect(err).toContain('outbound.allow')
    expect(await godwit('mail test --to nonsense')).toBe(EXIT.usage)
  })

  it('takes the sender of the configuration before the stored one', async () => {
    const environment = {
      GODWIT_DATA: world.folder,
      GODWIT_MAIL_HOST: '127.0.0.1',
      GODWIT_MAIL_PORT: String(smtp.plainPort),
      GODWIT_MAIL_ENCRYPTION: 'none',
      GODWIT_MAIL_ACCOUNT: 'files@example.org',
    }
    expect(await godwit('mail test --to tom@example.org --json', { environment })).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ recipient: 'tom@example.org' })
    const { parsed } = await smtp.mailTo('tom@example.org')
    expect(parsed.from).toMatchObject({ name: 'Godwit', address: 'files@example.org' })
    await godwit('mail show --json', { environment })
    expect(JSON.parse(out)).toMatchObject({ source: 'configuration', passwordSet: false })
  })

  it.each([
    '--provider none',
    '--encryption tls',
    '--smtp-port x',
    '--smtp-port 70000',
    '--provider gmail --encryption none',
  ])('refuses %s', async (words) => expect(await godwit(set(words))).not.toBe(0))
})

describe('godwit user must-reset and sender', () => {
  it('asks for a new password, and chooses the sender', async () => {
    await addUser('admin')
    await addUser('mei')
    expect(await godwit('user must-reset --account mei')).toBe(0)
    expect(await godwit('user sender --account mei --type system')).toBe(0)
    expect(await godwit('user sender --account mei --type other')).toBe(EXIT.usage)
    expect(await godwit('user sender --account nobody --type own')).toBe(EXIT.notFound)
    const users = await world.database.db.selectFrom('users').selectAll().where('must_reset', '=', 1).execute()
    expect(users.map(({ account }) => account)).toEqual(['mei'])
    const [preferences] = await world.database.db.selectFrom('user_preferences').selectAll().execute()
    expect(preferences?.email_sender_type).toBe(0)
  })
})

describe('settings', () => {
  it('are listed, changed, given back and remembered with who changed them', async () => {
    await godwit('settings list --json')
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({ key: 'position', value: 6, source: 'default', scope: 'site', restart: false }),
    )
    expect(await godwit('settings set position 9')).toBe(0)
    expect(out).toBe('position is now 9.\n')
    expect(await godwit('settings get position')).toBe(0)
    expect(out).toBe('9\n')
    expect(await godwit('site reset position')).toBe(0)
    await godwit('settings history --key position --json')
    expect(JSON.parse(out)).toMatchObject([
      { key: 'position', scope: 'site', by: 'operator', door: 'command-line', from: 9 },
      { key: 'position', scope: 'site', by: 'operator', door: 'command-line', to: 9 },
    ])
    await godwit('settings history')
    expect(out).toMatch(/^\S+Z {2}position {2}site {2}operator {2}9 -> \(default\)\n/)
  })
  it('are refused by name, by place and by rule, with what would be right', async () => {
    expect(await godwit('settings set positoin 9')).toBe(2)
    expect(err).toContain("there is no setting 'positoin'. Did you mean position?")
    expect(await godwit('settings set position 10')).not.toBe(0)
    expect(err).toContain('must be one of 1, 2')
    expect(await godwit('settings set position 9 --space 2')).not.toBe(0)
    expect(await godwit('settings set position 9 --space two')).toBe(2)
    expect(err).toContain("--space takes a number, not 'two'")
    expect(await godwit('settings list --account nobody')).toBe(4)
  })
})

describe('docs/cli.md', () => {
  const text = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/cli.md'), 'utf8')
  it.each(COMMANDS)('explains $name as the program does', ({ name, summary }) => {
    expect(text).toContain(`| \`godwit ${name}\` | ${summary} |`)
  })
  it.each(Object.entries(CONFIG_KEYS))('lists the setting %s with its twins', (name, { summary, secret }) => {
    const flag = secret === 'all' ? 'none: a secret' : `\`--${flagName(name)}\``
    expect(text).toContain(`| \`${name}\` | \`${environmentName(name)}\` | ${flag} |`)
    expect(text).toContain(summary)
  })
  it.each(Object.values(EXIT))('lists the exit code %i', (code) => {
    expect(text).toContain(`| ${code} |`)
  })
})
