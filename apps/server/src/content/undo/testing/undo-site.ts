import fs from 'node:fs'
import path from 'node:path'
import { FULL_PERMISSION, type JobView } from '@godwit/contract'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { openSite, type Site } from '../../../security/testing/sites.ts'
import type { Login } from '../../../security/testing/wire.ts'
import { keepFilesInBucket } from '../../../testing/bucket-storages.ts'

export const WORLDS = [
  { name: 'SQLite and a disk', isBucket: false, url: () => Promise.resolve(undefined) },
  { name: 'MariaDB and a disk', isBucket: false, url: mariadbUrl },
  { name: 'SQLite and a bucket', isBucket: true, url: () => Promise.resolve(undefined) },
]
export const DONE = { code: 200, state: 'completed', failed: [] }

/** A site with two accounts and a group. Each case has a folder of its own, with a file, a folder with a file, and a target. */
export function undoSite({ isBucket, url }: Pick<(typeof WORLDS)[number], 'isBucket' | 'url'>) {
  let site: Site
  let bucket: TemporaryBucket | undefined
  let mei: Login
  let lin: Login
  let top = ''
  let made = 0

  beforeAll(async () => {
    const databaseUrl = await url()
    const prepare = async (environment: Readonly<Record<string, string>>): Promise<void> => {
      bucket = await keepFilesInBucket(environment)
    }
    site = await openSite({ ...(databaseUrl === undefined ? {} : { databaseUrl }), ...(isBucket ? { prepare } : {}) })
    for (const account of ['mei', 'lin']) await site.addUser(account)
    mei = await site.signIn('mei')
    lin = await site.signIn('lin')
    await site.cli('group add Team')
    const may = '--permission list,download,upload,mkdir,copy,delete'
    await site.cli(`group member --group 1 --account mei ${may}`)
  }, 60_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await bucket?.store[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    top = ''
    await mkdir(`case-${++made}`)
    top = `/case-${made}`
    await mkdir('to')
    await put('a.txt')
    await mkdir('box')
    await put('box/inner.txt')
  })

  const at = (name: string): string => (name === '' ? top : `${top}/${name}`)

  /** As it is on the storage, whatever the server says. */
  async function read(name: string): Promise<string | undefined> {
    if (bucket === undefined) {
      const file = path.join(site.home('mei'), at(name))
      return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
    }
    const key = `users/mei${at(name)}`
    if ((await bucket.store.stat(key)) === undefined) return undefined
    await using reader = await bucket.store.openRead(key)
    const parts: Buffer[] = []
    for await (const part of reader.stream()) parts.push(Buffer.from(part))
    return Buffer.concat(parts).toString()
  }

  const readAll = (names: readonly string[]) => Promise.all(names.map((name) => read(name)))

  async function names(folder: string): Promise<readonly string[]> {
    const { data } = await site.call(mei.token, 'columns', { folder: at(folder), limit: 100 })
    return (data['names'] as unknown as string[]).toSorted()
  }

  async function put(name: string, content = name): Promise<void> {
    const [folder, file] = [path.posix.dirname(at(name)), path.posix.basename(name)]
    expect((await site.upload(mei.token, file, Buffer.from(content), folder)).code).toBe(200)
  }

  async function mkdir(name: string): Promise<void> {
    const [folder, base] = [path.posix.dirname(at(name)), path.posix.basename(name)]
    expect((await site.call(mei.token, 'mkdir', { folder, name: base })).code).toBe(200)
  }

  async function remove(name: string): Promise<void> {
    expect((await site.call(mei.token, 'remove', { paths: [at(name)] })).code).toBe(200)
  }

  async function transfer(kind: 'copy' | 'move', from: readonly string[], more: object = {}): Promise<JobView> {
    const input = { paths: from.map(at), target: at('to'), ...more }
    const { job } = await site.runJob(mei.token, kind, input)
    if (job === undefined) throw new Error('no job')
    return job
  }

  async function undo({ jobId }: JobView) {
    const { code, job } = await site.runJob(mei.token, 'undo', { jobId })
    return { code, state: job?.state, failed: job?.failures.map(({ path: one, code: why }) => [one, why]) }
  }

  async function keepVersions(count: number): Promise<void> {
    expect(await site.cli(`settings set versions.keep ${count}`)).toBe(0)
    const limit = async () => (await site.call(mei.token, 'versions', { path: at('a.txt') })).data['limit']
    await expect.poll(limit).toBe(count)
  }

  async function versions(name: string): Promise<ReadonlyArray<{ readonly versionId: string; readonly size: number }>> {
    const { data } = await site.call(mei.token, 'versions', { path: at(name) })
    return data['items'] as never
  }

  const sizes = async (name: string) => (await versions(name)).map(({ size }) => size)

  async function recycled(): Promise<readonly string[]> {
    const { data } = await site.call(mei.token, 'recycled', {})
    return (data['items'] as unknown as Array<{ path: string }>).map((item) => item.path)
  }

  const failure = (name: string, code: number) => ({ code: 200, state: 'failed', failed: [[at(name), code]] })
  const changed = (name: string) => failure(name, 5115)
  const usage = async () => (await site.call(mei.token, 'usage', {})).data
  /** What a job gets that there is not. */
  const unknown = async () => (await site.call(mei.token, 'undo', { jobId: 'none' })).code

  return {
    ...{ at, read, readAll, names, put, mkdir, remove, transfer, undo, keepVersions, versions, sizes, recycled },
    ...{ failure, changed, usage, unknown },
    call: (operation: string, input: object) => site.call(mei.token, operation, input),
    callAsLin: (operation: string, input: object) => site.call(lin.token, operation, input),
    /** What mei may do among her own files from now on; without anything, as at the beginning. */
    async limit(change: { readonly permission?: number; readonly forbiddenPaths?: readonly string[] }): Promise<void> {
      const { permission = FULL_PERMISSION, forbiddenPaths } = change
      const file_rules = forbiddenPaths === undefined ? null : JSON.stringify({ forbiddenPaths })
      await site.withDatabase(({ db }) =>
        db.updateTable('users').set({ permission, file_rules }).where('account', '=', 'mei').execute(),
      )
      // A session keeps what it knows of its account for a while.
      mei = await site.signIn('mei')
    },
  }
}
