import fs from 'node:fs'
import { secureRandom } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import { openBucket } from '@godwit/storage/testing'
import { mariadbUrl, s3Access } from '@godwit/testkit/engines'
import { addStorage, type StorageAdminDeps } from '../../../../foundation/storages/index.ts'
import { openVault } from '../../../../kernel/crypto/index.ts'
import type { World } from '../../../../testing/worlds.ts'
import { storeOf, type PlaceResolver } from '../../../access/index.ts'
import type { FileEvent } from '../../../file-events/index.ts'
import { bucketOf } from '../../../quotas/index.ts'
import { JobSite } from '../../../recycle/testing/job-site.ts'
import type { KillSwitch } from '../../../recycle/testing/kill-switch.ts'
import { rootOfBytes } from '../../../tree-hashes/index.ts'

export const GROUP = 1
export const LIBRARY = `groups/${GROUP}`
export const PAIRS = [
  { name: 'two folders', from: 'local', to: 'local', url: () => Promise.resolve(undefined) },
  { name: 'two folders, on mysql', from: 'local', to: 'local', url: mariadbUrl },
  { name: 'a folder and a bucket', from: 'local', to: 'bucket', url: () => Promise.resolve(undefined) },
  { name: 'a bucket and a folder', from: 'bucket', to: 'local', url: () => Promise.resolve(undefined) },
  { name: 'two buckets', from: 'bucket', to: 'bucket', url: () => Promise.resolve(undefined) },
] as const
/** The group and the home are two places of one storage. */
export const ONE_STORAGE = { ...PAIRS[0], name: 'two places of one folder', to: 'same' } as const
/** What becomes of one part after another. */
const UPLOAD_CALLS = ['createUpload', 'writePart', 'completeUpload', 'abortUpload'] as const

/** An account whose home is on one storage and whose group is on another. */
export class TwoStorages implements AsyncDisposable {
  readonly #world: World
  readonly site: JobSite
  readonly #ids: { readonly from: number; readonly to: number }
  /** What everybody may do in the library. */
  libraryFlags = 0xffff

  private constructor(world: World, site: JobSite, ids: { from: number; to: number }) {
    this.#world = world
    this.site = site
    this.#ids = ids
  }

  static async open(
    world: World,
    { from, to }: (typeof PAIRS)[number] | typeof ONE_STORAGE,
    kill?: KillSwitch,
  ): Promise<TwoStorages> {
    const source = from === 'local' ? 1 : await addBucket(world)
    const target = to === 'same' ? source : to === 'local' ? await addFolder(world) : await addBucket(world)
    const watch = { db: world.database.db, isDead: () => kill?.isDead ?? false }
    const site = await JobSite.open(kill?.world(world) ?? world, watch)
    for (const store of site.intake.deps.files.storages.all()) kill?.watch(store, UPLOAD_CALLS)
    const { db } = world.database
    const place = { owner_id: '', space_id: 1, group_id: GROUP, storage_id: target }
    await db.insertInto('places').values(place).execute()
    const keep = { name: 'versions.keep', scope: 'site', scope_id: '', value: '5' } as const
    await db.insertInto('setting_values').values(keep).execute()
    return new TwoStorages(world, site, { from: source, to: target })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]()
    fs.rmSync(secondFolder(this.#world), { recursive: true, force: true })
  }

  async nextAccount(): Promise<void> {
    await this.site.nextAccount()
    const { database } = this.#world
    const place = { space_id: 1, group_id: 0, storage_id: this.#ids.from }
    await database.db
      .insertInto('places')
      .values({ ...place, owner_id: this.site.intake.alice.id })
      .execute()
    await this.restart()
  }

  async restart(): Promise<void> {
    await this.site.restart()
    const { access, storages } = this.site.deps.files
    const library: PlaceResolver<'group'> = async (principal, { spaceId, groupId }) => ({
      ids: { spaceId, groupId },
      store: await storeOf(storages, { userId: principal.id, spaceId, groupId }),
      rootKey: LIBRARY,
      grants: {
        given: [{ subject: { kind: 'group', id: '1' }, prefix: '/', flags: this.libraryFlags }],
        ...{ caps: [], rules: [], isAdministrator: true, quotaBuckets: [] },
      },
    })
    access.place('group', library)
  }

  get home(): ObjectStore {
    return this.#store(this.#ids.from)
  }

  get library(): ObjectStore {
    return this.#store(this.#ids.to)
  }

  #store(id: number): ObjectStore {
    const store = this.site.intake.deps.files.storages.withId(id)
    if (store === undefined) throw new Error(`no storage ${id}`)
    return store
  }

  /** Starts the job and runs it. @returns failures */
  async transfer(kind: 'copy' | 'move', paths: readonly string[], more: object = {}): Promise<string[]> {
    await this.site.call(kind, { paths, target: '/', targetGroupId: GROUP, ...more })
    return this.site.runJobs()
  }

  atHome(): Promise<Map<string, Buffer>> {
    return filesBelow(this.home, this.site.intake.alice.home)
  }

  inLibrary(): Promise<Map<string, Buffer>> {
    return filesBelow(this.library, LIBRARY)
  }

  async clearLibrary(): Promise<void> {
    if ((await this.library.stat(LIBRARY)) !== undefined) await this.library.remove(LIBRARY)
    await this.library.ensureFolder(LIBRARY)
    const { db } = this.#world.database
    await db
      .deleteFrom('quotas')
      .where('user_id', '=', bucketOf({ userId: '', groupId: GROUP }))
      .execute()
    await db.deleteFrom('file_versions').execute()
    await db.deleteFrom('recycle_items').execute()
    await db.deleteFrom('file_hashes').execute()
    await db.deleteFrom('outbox').execute()
  }

  async usedBy(bucket: string): Promise<{ readonly used: number; readonly reserved: number }> {
    const quotas = this.#world.database.db.selectFrom('quotas').selectAll()
    const row = await quotas.where('user_id', '=', bucket).executeTakeFirst()
    return { used: Number(row?.used_bytes ?? 0), reserved: Number(row?.reserved_bytes ?? 0) }
  }

  async events(): Promise<string[]> {
    const rows = await this.#world.database.db.selectFrom('outbox').select(['type', 'payload']).orderBy('seq').execute()
    return rows.map(({ type, payload }) => {
      const { groupId, path } = JSON.parse(payload) as FileEvent
      return `${type} ${groupId}:${path}`
    })
  }

  async recordedHash(key: string): Promise<string | undefined> {
    const recorded = this.#world.database.db.selectFrom('file_hashes').select('hash').where('storage_key', '=', key)
    return (await recorded.executeTakeFirst())?.hash
  }

  /** Whatever books, hashes and storages disagree about. */
  async faults(): Promise<string[]> {
    const { db } = this.#world.database
    const { alice } = this.site.intake
    const versions = await db.selectFrom('file_versions').selectAll().execute()
    const recycled = await db.selectFrom('recycle_items').selectAll().execute()
    const faults: string[] = []
    for (const [bucket, files, store] of [
      [alice.id, await this.atHome(), this.home],
      [bucketOf({ userId: '', groupId: GROUP }), await this.inLibrary(), this.library],
    ] as const) {
      const kept = versions.filter((row) => row.bucket === bucket)
      const bytesThere = [...files.values()].reduce((sum, { length }) => sum + length, 0)
      const binned = recycled.filter(
        ({ owner_id: userId, group_id: groupId }) => bucketOf({ userId, groupId }) === bucket,
      )
      const wanted = [...kept, ...binned].reduce((sum, { size }) => sum + Number(size), bytesThere)
      const { used, reserved } = await this.usedBy(bucket)
      if (used !== wanted) faults.push(`${bucket}: ${used} bytes booked instead of ${wanted}`)
      if (reserved !== 0) faults.push(`${bucket}: ${reserved} bytes reserved`)
      for (const { version_key: key } of kept) {
        if ((await store.stat(key)) === undefined) faults.push(`version ${key} is lost`)
      }
      for (const { storage_key: key } of binned) {
        if ((await store.stat(key)) === undefined) faults.push(`recycled item ${key} is lost`)
      }
      for (const [key, content] of files) {
        const hash = await this.recordedHash(key)
        if (hash !== rootOfBytes(content)) faults.push(`hash of ${key}: ${hash}`)
      }
    }
    const steps = await db.selectFrom('file_steps').select('id').execute()
    return [...faults, ...(steps.length > 0 ? [`${steps.length} steps left`] : [])]
  }
}

function secondFolder({ folder }: World): string {
  return `${folder}-second`
}

function adminDeps({ database: { db }, folder: data, clock }: World): StorageAdminDeps {
  const vault = () => openVault(data, secureRandom)
  return { db, data, reserveBytes: 0, clock, random: secureRandom, vault, program: '/opt/godwit' }
}

async function addFolder(world: World): Promise<number> {
  const settings = { folder: secondFolder(world) }
  const wanted = { name: 'Second', kind: 'local', settings, secret: '', spaceId: 1, isDefault: false } as const
  return (await addStorage(adminDeps(world), wanted)).id
}

async function addBucket(world: World): Promise<number> {
  const { endpoint, accessKeyId, secretAccessKey: secret } = await s3Access()
  const { name: bucket, store } = await openBucket({ endpoint, accessKeyId, secretAccessKey: secret })
  await store[Symbol.asyncDispose]()
  const settings = { endpoint, bucket, accessKeyId, prefix: 'files', pathStyle: true, conditionalWrites: false }
  const wanted = { kind: 's3-compatible', settings, secret, spaceId: 1, isDefault: false } as const
  return (await addStorage(adminDeps(world), { ...wanted, name: bucket })).id
}

export async function filesBelow(store: ObjectStore, key: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  if ((await store.stat(key)) === undefined) return files
  for await (const { names, kinds } of store.list(key)) {
    for (const [at, name] of names.entries()) {
      const below = `${key}/${name}`
      if (kinds[at] === 1) for (const [deep, content] of await filesBelow(store, below)) files.set(deep, content)
      else files.set(below, await contentOf(store, below))
    }
  }
  return files
}

export async function contentOf(store: ObjectStore, key: string): Promise<Buffer> {
  await using reader = await store.openRead(key)
  const chunks: Buffer[] = []
  for await (const chunk of reader.stream()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
