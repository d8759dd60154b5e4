import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit, file, addUser } = site

describe('godwit user', () => {
  it('makes the first account the super administrator and the next a user', async () => {
    expect(await addUser('admin')).toBe(0)
    expect(await addUser('mei')).toBe(0)
    await godwit('user list --json')
    expect(JSON.parse(site.out)).toMatchObject([
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
      expect(JSON.parse(site.out)).toMatchObject([{}, { state }])
    }
    expect(await godwit('user remove --account mei')).toBe(0)
    await godwit('user list --json')
    expect(JSON.parse(site.out)).toHaveLength(1)
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
    expect(words === '' ? site.out : site.err).not.toBe('')
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
    expect(site.err).toContain(text)
    expect(site.err).not.toContain('    at ')
  })
  it.each([
    ['GODWIT_ADMIN_ACCOUNT', 'boss', 'admin.password'],
    ['GODWIT_ADMIN_PASSWORD', 'Sunrise-42x', 'admin.account'],
  ])('does not serve with %s alone', async (name, value, field) => {
    const environment = { GODWIT_DATA: site.world.folder, [name]: value }
    expect(await godwit('serve --port 0', { environment })).toBe(EXIT.refused)
    expect(site.err).toContain(`"field":"${field}"`)
  })
  it('names the port that somebody else has', async () => {
    const server = net.createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as net.AddressInfo
    expect(await godwit(`serve --port ${port}`)).toBe(EXIT.config)
    expect(site.err).toContain(`port (from flag): 127.0.0.1:${port} is taken`)
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
    const nowhere = path.join(site.world.folder, 'nowhere')
    const call = words
      .replace('{tar}', path.join(site.world.folder, 'x.tar'))
      .replace('{pw}', file('pw', 'Sunrise-42x'))
    expect(await godwit(`${call} --data ${nowhere}`)).toBe(EXIT.notFound)
    expect(site.err).toContain('nothing is installed in')
    expect(fs.existsSync(nowhere)).toBe(false)
    expect(fs.existsSync(path.join(site.world.folder, 'x.tar'))).toBe(false)
  })
  it('names the nearest command and option', async () => {
    await godwit('usr list')
    expect(site.err).toContain("Did you mean 'user list'?")
    await godwit('user list --prot 3')
    expect(site.err).toContain('did you mean --port?')
  })
  it('gives a forgotten administrator a new password and an open account', async () => {
    await addUser('admin')
    await site.world.database.db.updateTable('users').set({ locked: 1 }).execute()
    const before = await site.world.database.db.selectFrom('users').select('password_hash').executeTakeFirst()
    expect(await godwit(`admin recover --password-file ${file('new', 'Moonlight-7')}`)).toBe(0)
    const after = await site.world.database.db.selectFrom('users').selectAll().executeTakeFirst()
    expect(after?.locked).toBe(0)
    expect(after?.password_hash).not.toBe(before?.password_hash)
  })
})

describe('godwit user must-reset and sender', () => {
  it('asks for a new password, and chooses the sender', async () => {
    await addUser('admin')
    await addUser('mei')
    expect(await godwit('user must-reset --account mei')).toBe(0)
    expect(await godwit('user sender --account mei --type system')).toBe(0)
    expect(await godwit('user sender --account mei --type other')).toBe(EXIT.usage)
    expect(await godwit('user sender --account nobody --type own')).toBe(EXIT.notFound)
    const users = await site.world.database.db.selectFrom('users').selectAll().where('must_reset', '=', 1).execute()
    expect(users.map(({ account }) => account)).toEqual(['mei'])
    const [preferences] = await site.world.database.db.selectFrom('user_preferences').selectAll().execute()
    expect(preferences?.email_sender_type).toBe(0)
  })
})
