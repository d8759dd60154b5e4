import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { VAULT_KEY } from '../kernel/crypto/index.ts'
import { connectDatabase } from '../kernel/db/index.ts'
import { mayMount, mountSmallDisk } from '../testing/loop-disks.ts'
import { EXIT } from './exit-codes.ts'
import { pngOf } from '../testing/images.ts'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit, file, addUser } = site

describe('godwit backup and restore', () => {
  async function archive(): Promise<string> {
    await addUser('admin')
    const home = path.join(site.world.folder, 'files/users/admin/a folder')
    fs.mkdirSync(path.join(home, 'empty'), { recursive: true })
    fs.writeFileSync(path.join(home, '报告.bin'), Buffer.alloc(3_000_000, 7))
    fs.writeFileSync(path.join(home, 'zero'), '')
    const target = path.join(site.world.folder, 'backup.tar')
    expect(await godwit(`backup ${target}`)).toBe(0)
    return target
  }
  it('bring accounts and files back, byte for byte', async () => {
    const target = await archive()
    const elsewhere = path.join(site.world.folder, 'elsewhere')
    expect(await godwit(`restore ${target} --data ${elsewhere}`)).toBe(0)
    const home = path.join(elsewhere, 'files/users/admin/a folder')
    expect(fs.readFileSync(path.join(home, '报告.bin'))).toEqual(Buffer.alloc(3_000_000, 7))
    expect(fs.readdirSync(home).toSorted()).toEqual(['empty', 'zero', '报告.bin'])
    await godwit(`user list --json --data ${elsewhere}`)
    expect(JSON.parse(site.out)).toMatchObject([{ account: 'admin', role: 'super' }])
  })
  it('bring the key of the sealed secrets along', async () => {
    const key = (data: string) => fs.readFileSync(path.join(data, VAULT_KEY))
    const password = file('mail-password', 'Planted-Mail-8x\n')
    await godwit(`mail set --provider gmail --account files@example.org --password-file ${password}`)
    const elsewhere = path.join(site.world.folder, 'elsewhere')
    expect(await godwit(`restore ${await archive()} --data ${elsewhere}`)).toBe(0)
    expect(key(elsewhere)).toEqual(key(site.world.folder))
  })
  it('bring site settings, own images and spaces along', async () => {
    const logo = path.join(site.world.folder, 'logo.png')
    fs.writeFileSync(logo, pngOf(20, 20))
    for (const words of [`site set logo ${logo}`, 'site set position 9', 'space add Laboratory']) {
      expect(await godwit(words)).toBe(0)
    }
    const elsewhere = path.join(site.world.folder, 'elsewhere')
    expect(await godwit(`restore ${await archive()} --data ${elsewhere}`)).toBe(0)
    await godwit('site show --json')
    const here = (JSON.parse(site.out) as ReadonlyArray<{ name: string; value: unknown }>).find(
      ({ name }) => name === 'logo',
    )
    expect(here?.value).toMatch(/^\/customize\/logo\?v=[\da-f]{16}$/)
    await godwit(`site show --json --data ${elsewhere}`)
    expect(JSON.parse(site.out)).toContainEqual(here)
    expect(JSON.parse(site.out)).toContainEqual(expect.objectContaining({ name: 'position', value: 9 }))
    await godwit(`space list --json --data ${elsewhere}`)
    expect(JSON.parse(site.out)).toMatchObject([
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
    const elsewhere = path.join(site.world.folder, 'elsewhere')
    expect(await godwit(`restore ${target} --data ${elsewhere}`)).toBe(5)
    expect(fs.existsSync(path.join(elsewhere, 'files'))).toBe(false)
  })
  it('refuse an archive that was cut off', async () => {
    const target = await archive()
    fs.truncateSync(target, 1_000_000)
    expect(await godwit(`restore ${target} --data ${path.join(site.world.folder, 'elsewhere')}`)).toBe(5)
    expect(site.err).toContain('is no archive of godwit backup, or it is damaged')
  })
  it('refuse what is no archive at all', async () => {
    const target = file('some.bin', 'x'.repeat(5_000))
    expect(await godwit(`restore ${target} --data ${path.join(site.world.folder, 'elsewhere')}`)).toBe(5)
    expect(site.err).toContain('is no archive of godwit backup, or it is damaged')
  })
  it('end the uploads that were not finished, and give back what they had reserved', async () => {
    await addUser('admin')
    const { db } = site.world.database
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
    const elsewhere = path.join(site.world.folder, 'elsewhere')
    expect(await godwit(`restore ${await archive()} --data ${elsewhere}`)).toBe(0)
    expect(site.out).toContain('begin anew: 1.')
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
    expect(site.err).toContain('exists: choose another name, or replace it with --force')
    expect(fs.statSync(target)).toEqual(before)
    expect(await godwit(`backup ${target} --force`)).toBe(0)
    for (const place of [site.world.folder, '/dev/null']) {
      expect(await godwit(`backup ${place} --force`)).toBe(5)
      expect(site.err).toContain(`${place} is no file`)
    }
    expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true)
    expect(fs.existsSync('/dev/null.part')).toBe(false)
  })
  it.runIf(mayMount)('leave nothing behind on a disk that is full [mounts a disk]', async () => {
    await archive()
    await using disk = await mountSmallDisk(2)
    expect(await godwit(`backup ${path.join(disk.folder, 'x.tar')}`)).toBe(EXIT.unavailable)
    expect(site.err).toBe('godwit backup: the disk is full\n')
    expect(fs.readdirSync(disk.folder).filter((name) => name.startsWith('x.tar'))).toEqual([])
  })
  it.runIf(mayMount)('say that the disk to restore to is full [mounts a disk]', async () => {
    const target = await archive()
    await using disk = await mountSmallDisk(2)
    const words = `restore ${target} --data ${path.join(disk.folder, 'data')} --storage-reserve-bytes 0`
    expect(await godwit(words)).toBe(EXIT.unavailable)
    expect(site.err).toContain('full')
    expect(site.err.split('\n')).toHaveLength(2)
  })
  it('bring every folder back to its storage, which must be empty', async () => {
    await addUser('admin')
    const folder = `${site.world.folder}-second`
    expect(await godwit(`storage add --name Second --kind local --folder ${folder}`)).toBe(0)
    expect(await godwit('storage default 2')).toBe(EXIT.ok)
    fs.mkdirSync(path.join(folder, 'users/admin'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'users/admin/f'), 'content')
    const target = path.join(site.world.folder, 'two.tar')
    expect(await godwit(`backup ${target}`)).toBe(0)
    const elsewhere = path.join(site.world.folder, 'elsewhere')
    expect(await godwit(`restore ${target} --data ${elsewhere}`)).toBe(EXIT.refused)
    expect(site.err).toContain(`${folder} is not empty`)
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
