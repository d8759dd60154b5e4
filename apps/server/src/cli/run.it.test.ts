import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIG_KEYS, environmentName, flagName } from '../kernel/config/index.ts'
import { connectDatabase } from '../kernel/db/index.ts'
import { EXIT } from './exit-codes.ts'
import { COMMANDS } from './run.ts'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit, file, addUser, databaseAt } = site

describe('the operation log', () => {
  it('keeps each call that changes something, also a refused one, without the names of secret files', async () => {
    await addUser('admin')
    await addUser('mei')
    await godwit('user lock --account mei')
    await godwit('user lock --account nobody')
    await godwit('user list')
    await godwit('user remove --account mei')
    const database = connectDatabase(`sqlite:${path.join(site.world.folder, 'godwit.db')}`)
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

describe('godwit config', () => {
  it('prints every setting with its source and masks secrets', async () => {
    const environment = { GODWIT_DATA: site.world.folder, GODWIT_ADMIN_PASSWORD: 'a-secret-value' }
    expect(await godwit('config print --json --port 9', { environment })).toBe(0)
    expect(site.out).not.toContain('a-secret-value')
    expect(JSON.parse(site.out)).toContainEqual(expect.objectContaining({ name: 'port', value: 9, source: 'flag' }))
  })
  it('prints which database is used, and how to name another one, without its password', async () => {
    await godwit('config print')
    expect(site.out).toMatch(/^database\.url +sqlite:\S+\/godwit\.db +default +GODWIT_DATABASE_URL$/m)
    await godwit('config print', { environment: databaseAt('mysql://files:a-secret-value@db:3306/godwit') })
    expect(site.out).toMatch(/^database\.url +mysql:\/\/files:\*+@db:3306\/godwit +environment +GODWIT_DATABASE_URL$/m)
    expect(site.out).not.toContain('a-secret-value')
  })
  it('refuses a variable that is no setting', async () => {
    const environment = { GODWIT_DATA: site.world.folder, GODWIT_DATABASE: 'mysql://db/x' }
    expect(await godwit('serve', { environment })).toBe(EXIT.config)
    expect(site.err).toContain('GODWIT_DATABASE (from environment): no such setting; did you mean GODWIT_DATA')
  })
  it.each([
    ['--admin-password Planted-1x', 'admin.password'],
    ['--mail-password Planted-1x', 'mail.password'],
    ['--database-url mysql://root:Planted-1x@db/godwit', 'database.url'],
    ['--redis-url redis://:Planted-1x@cache', 'redis.url'],
  ])('takes no secret from where the list of processes shows it: %s', async (flag, key) => {
    expect(await godwit(`serve ${flag}`)).toBe(EXIT.config)
    expect(site.err).toContain(`${key} (from flag): the list of processes would show this secret`)
    expect(site.err).not.toContain('Planted')
  })
  it('has no option that takes a secret itself', () => {
    const options = COMMANDS.flatMap(({ options: own }) => Object.entries(own))
    const secret = options.filter(([name, { value }]) => value !== undefined && /password|secret|token/.test(name))
    expect(secret.length).toBeGreaterThan(3)
    for (const [name, { value }] of secret) expect([name, value]).toEqual([expect.stringMatching(/-file$/), 'FILE'])
  })
  it.each(['{', '[]', '{"prot": 1}', '{"port": -1}'])('refuses the file %s naming what is wrong', async (content) => {
    expect(await godwit(`config validate --config ${file('broken.json', content)}`)).toBe(3)
    expect(site.err).toMatch(/godwit: /)
  })
})

describe('help', () => {
  it.each(COMMANDS.map(({ name }) => name))('of %s has an example', async (name) => {
    expect(await godwit(`${name} --help`)).toBe(0)
    expect(site.out).toContain('Examples:\n  ')
  })
  it.each(['bash', 'zsh', 'fish', 'powershell'])('completes every command in %s', async (shell) => {
    await godwit(`completion ${shell}`)
    for (const { name } of COMMANDS) for (const word of name.split(' ')) expect(site.out).toContain(word)
  })
  it('is a manual page, too, with every command, setting and exit code', async () => {
    expect(await godwit('man')).toBe(0)
    const page = file('godwit.1', site.out)
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
