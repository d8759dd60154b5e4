import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectDatabase } from '../kernel/db/index.ts'
import { EXIT } from './exit-codes.ts'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit, addUser, databaseAt } = site

describe('godwit support-bundle', () => {
  const SECRETS = {
    GODWIT_ADMIN_PASSWORD: 'Planted-owner-1x',
    GODWIT_MAIL_PASSWORD: 'Planted-mail-2x',
    GODWIT_REDIS_URL: 'redis://:Planted-redis-3x@127.0.0.1:1',
    PLANTED: 'Planted-environment-4x',
  }
  const environment = () => ({ GODWIT_DATA: site.world.folder, ...SECRETS })

  it('says what a helper needs, and no secret, account or path of a user', async () => {
    await addUser('planted.person')
    const database = connectDatabase(`sqlite:${path.join(site.world.folder, 'godwit.db')}`)
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
    const target = path.join(site.world.folder, 'bundle.json')
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
    const target = path.join(site.world.folder, 'bundle.json')
    const environment = databaseAt('mysql://root:Planted-6x@127.0.0.1:1/none')
    expect(await godwit(`support-bundle ${target}`, { environment })).toBe(0)
    const text = fs.readFileSync(target, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ jobs: { fault: expect.any(String) as string } })
    expect(text).not.toContain('Planted')
  })
})
