import fs from 'node:fs'
import path from 'node:path'
import { backupRoutes, dashboardRoutes, type BackupView } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

describe('backups in the console', () => {
  let site: Site
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    site = await openSite()
    for (const account of ['keeper', 'member']) await site.addUser(account)
    await administer(site, 'keeper', ['backup.run', 'settings.view', 'statistics.view', 'storages.edit'])
    for (const who of ['admin', 'keeper', 'member']) tokens.set(who, (await site.signIn(who)).token)
    await site.upload(tokens.get('member') ?? '', 'kept.bin', Buffer.alloc(300_000, 7))
  })
  afterAll(async () => {
    fs.rmSync(folder(), { recursive: true, force: true })
    await site[Symbol.asyncDispose]()
  })

  /** Beside the data folder, with a storage of its own that a drill must not touch. */
  const folder = (below = '') => path.join(`${site.data}-backups`, below)
  const ask = (below: string, json?: object, who = 'keeper', method = 'POST') =>
    site.ask({
      path: `/api/admin/${below}`,
      token: tokens.get(who) ?? '',
      ...(json === undefined ? {} : { method, json }),
    })
  const backups = async (): Promise<readonly BackupView[]> =>
    backupRoutes.list.reply.parse((await ask('backups')).data).backups
  const change = (key: string, from: string | number, value: string | number, who = 'admin') =>
    ask('backups/settings', { changes: [{ key, from, value }] }, who, 'PATCH')
  const settled = async (id: string, fields: Partial<BackupView>): Promise<void> =>
    await expect
      .poll(async () => (await backups()).find((each) => each.id === id), { timeout: 120_000, interval: 200 })
      .toMatchObject(fields)

  it('is begun by whoever has the right, and set by the super administrator alone', async () => {
    expect((await ask('backups', {}, 'member')).code).toBe(1008)
    expect((await change('backup.folder', '', folder(), 'keeper')).code).toBe(1008)
    expect((await change('backup.folder', '', 'relative/folder')).code).toBe(400)
    expect((await change('backup.folder', '', folder())).code).toBe(200)
    expect((await change('backup.keep', 7, 1)).code).toBe(200)
    expect((await ask('backups')).data).toMatchObject({ folder: folder(), isOn: false, backups: [] })
  })

  it('writes an archive, one at a time, and keeps as many as it is told', async () => {
    const [one, other] = await Promise.all([ask('backups', {}), ask('backups', {})])
    const ids = new Set([one.data['backupId'], other.data['backupId']])
    for (const id of ids) await settled(String(id), { state: 'done', occasion: 'manual', drillState: '' })
    const again = await ask('backups', {})
    await settled(String(again.data['backupId']), { state: 'done' })
    await expect.poll(async () => (await backups()).length).toBe(1)
    const [kept] = await backups()
    expect(fs.readdirSync(folder())).toEqual([path.basename(kept?.file ?? '')])
    expect(fs.statSync(kept?.file ?? '').size).toBe(kept?.bytes)
    expect(fs.statSync(kept?.file ?? '').mode & 0o077).toBe(0)
  })

  it('proves that it restores, in a place of its own that is gone afterwards', async () => {
    const outside = folder('more-files')
    const storage = { name: 'More', kind: 'local', settings: { folder: outside } }
    expect((await ask('storages', storage, 'admin')).code).toBe(200)
    const { data } = await ask('backups', {})
    await settled(String(data['backupId']), { state: 'done' })
    const before = fs.readdirSync(outside)
    expect((await ask('backups/drill', { backupId: data['backupId'] })).code).toBe(200)
    await settled(String(data['backupId']), { drillState: 'passed', drillReason: '' })
    expect(fs.readdirSync(outside)).toEqual(before)
    expect(fs.readdirSync(folder()).filter((name) => name.startsWith('.'))).toEqual([])
    const shown = dashboardRoutes.now.reply.parse((await ask('dashboard')).data)
    expect(shown.backup).toMatchObject({ state: 'done', drillState: 'passed' })
  })

  it('says that a damaged archive does not restore', async () => {
    const [kept] = await backups()
    const file = kept?.file ?? ''
    const bytes = fs.readFileSync(file)
    const at = bytes.indexOf(Buffer.alloc(1_000, 7))
    bytes[at + 500] = 8
    fs.writeFileSync(file, bytes)
    expect((await ask('backups/drill', { backupId: kept?.id })).code).toBe(200)
    await settled(kept?.id ?? '', { drillState: 'failed', drillReason: expect.stringMatching(/differs/) as string })
    expect((await ask('backups/drill', { backupId: 'unknown' })).code).toBe(400)
  })

  it('refuses a folder within a storage, where each backup would hold the one before', async () => {
    const inside = path.join(site.data, 'files/backups')
    expect((await change('backup.folder', folder(), inside)).code).toBe(200)
    const { data } = await ask('backups', {})
    await settled(String(data['backupId']), { state: 'failed', reason: expect.stringMatching(/storage/) as string })
    expect(fs.existsSync(inside)).toBe(false)
  })

  it('knows what a new site still needs, and hides it from one administrator alone', async () => {
    const list = async (who: string) =>
      dashboardRoutes.checklist.reply.parse((await ask('dashboard/checklist', undefined, who)).data)
    const done = Object.fromEntries((await list('keeper')).steps.map(({ name, isDone }) => [name, isDone]))
    const open = { mail: false, address: false, backup: false, secondFactor: false }
    expect(done).toEqual({ storage: true, people: true, ...open })
    expect((await change('backup.switch', 0, 1)).code).toBe(200)
    await expect.poll(async () => (await list('keeper')).steps.find(({ name }) => name === 'backup')?.isDone).toBe(true)
    expect((await ask('dashboard/checklist/dismiss', { isDismissed: true })).data).toMatchObject({ isDismissed: true })
    expect((await list('admin')).isDismissed).toBe(false)
    expect((await list('keeper')).isDismissed).toBe(true)
    expect((await ask('dashboard/checklist/dismiss', { isDismissed: false })).data).toMatchObject({
      isDismissed: false,
    })
  })
})
