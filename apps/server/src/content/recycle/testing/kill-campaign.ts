import fs from 'node:fs'
import path from 'node:path'
import type { FileEvent } from '../../file-events/index.ts'
import { ZipWriter } from '../../downloads/index.ts'
import { makeFolder, rename } from '../../files/files.service.ts'
import { targetResolver } from '../../intake/index.ts'
import { rootOfBytes } from '../../tree-hashes/index.ts'
import { recoverBatches } from '../../intake/batches.ts'
import { bytes } from '../../intake/testing/intake-site.ts'
import { storeSmallFiles } from '../../intake/small-files.ts'
import type { World } from '../../../testing/worlds.ts'
import { JobSite } from './job-site.ts'
import { KillSwitch, pointsAroundChanges } from './kill-switch.ts'

const PLACE = { spaceId: 1, groupId: 0 }

/** A change of files that is cut short at every point. */
interface Attacked {
  readonly name: string
  /** Events that the change leaves, by type and path; none when it never began. */
  readonly events: (folder: string) => readonly string[]
  readonly prepare?: (site: JobSite, folder: string) => Promise<unknown>
  readonly change: (site: JobSite, folder: string) => Promise<void>
}

const inFolder = (folder: string, ...names: readonly string[]) => names.map((name) => `/${folder}/${name}`)

/** Each entry holds its own name. */
function zipOf(names: readonly string[]): Buffer {
  const zip = new ZipWriter()
  const pieces = names.flatMap((name) => {
    const content = Buffer.from(name)
    const head = zip.begin({ name, modifiedMs: 0, size: content.length })
    zip.content(content)
    return [head, content, zip.end()]
  })
  return Buffer.concat([...pieces, ...zip.finish()])
}

async function remove(site: JobSite, folder: string): Promise<void> {
  await site.call('remove', { paths: inFolder(folder, 'file', 'tree') })
  await site.runJobs()
}

const ZIP = zipOf(['one', 'two', 'deep/three'])

async function unpack(site: JobSite, folder: string): Promise<void> {
  await site.unpack(`/${folder}/files.zip`)
  await site.runJobs()
}

function unpacked(folder: string): readonly string[] {
  return [
    ...['', '/deep'].map((name) => `folder.made /${folder}${name}`),
    ...inFolder(folder, 'deep/three', 'one', 'two').map((where) => `file.committed ${where}`),
  ]
}

async function recycleIds({ deps, intake }: JobSite, folder: string): Promise<string[]> {
  const rows = await deps.db.selectFrom('recycle_items').selectAll().where('owner_id', '=', intake.alice.id).execute()
  return rows.filter((row) => row.path.startsWith(`/${folder}/`)).map(({ id }) => id)
}

async function restore(site: JobSite, folder: string): Promise<void> {
  await site.call('restore', { recycleIds: await recycleIds(site, folder), conflict: 'replace' })
  await site.runJobs()
}

export const ATTACKED: readonly Attacked[] = [
  {
    name: 'remove',
    events: (folder) => inFolder(folder, 'file', 'tree').map((where) => `file.deleted ${where}`),
    change: remove,
  },
  {
    name: 'move',
    events: (folder) => inFolder(folder, 'target/file', 'target/tree').map((where) => `file.moved ${where}`),
    async change(site, folder) {
      const target = `/${folder}/target`
      await site.call('move', { paths: inFolder(folder, 'file', 'tree'), target, conflict: 'replace' })
      await site.runJobs()
    },
  },
  {
    name: 'copy',
    events: (folder) => inFolder(folder, 'target/file', 'target/tree').map((where) => `file.copied ${where}`),
    async change(site, folder) {
      const target = `/${folder}/target`
      await site.call('copy', { paths: inFolder(folder, 'file', 'tree'), target, conflict: 'replace' })
      await site.runJobs()
    },
  },
  {
    name: 'restore',
    events: (folder) => inFolder(folder, 'file', 'tree').map((where) => `file.restored ${where}`),
    prepare: remove,
    change: restore,
  },
  {
    name: 'restore into a folder that is there again',
    events: (folder) => inFolder(folder, 'file', 'tree/deep', 'tree/inside').map((where) => `file.restored ${where}`),
    async prepare(site, folder) {
      await remove(site, folder)
      await site.intake.upload(bytes(50, 8), { relativePath: `${folder}/tree/inside` })
    },
    change: restore,
  },
  {
    name: 'purge',
    events: (folder) => inFolder(folder, 'file', 'tree').map((where) => `file.deleted ${where}`),
    prepare: remove,
    async change(site, folder) {
      await site.call('purge', { recycleIds: await recycleIds(site, folder) })
      await site.runJobs()
    },
  },
  {
    name: 'pack',
    events: (folder) => inFolder(folder, 'one', 'two').map((where) => `file.committed ${where}`),
    async change({ intake }, folder) {
      const resolve = targetResolver(intake.deps.files, intake.ctx, { ...PLACE, folder: `/${folder}` })
      const files = await Promise.all(
        ['one', 'two'].map(async (filename, at) => {
          const content = bytes(30 + at, at)
          const target = await resolve({ filename })
          return { target, content, hash: rootOfBytes(content), modifiedMs: 0, conflict: 'fail' as const }
        }),
      )
      await storeSmallFiles(intake.deps, intake.ctx, { files })
    },
  },
  {
    name: 'zip unpacked',
    events: (folder) => unpacked(`${folder}/files`),
    prepare: ({ intake }, folder) => intake.upload(ZIP, { relativePath: `${folder}/files.zip` }),
    change: unpack,
  },
  {
    name: 'zip unpacked beside a file of its name',
    events: (folder) => unpacked(`${folder}/files (1)`),
    async prepare({ intake }, folder) {
      await intake.upload(ZIP, { relativePath: `${folder}/files.zip` })
      await intake.upload(bytes(10, 9), { relativePath: `${folder}/files` })
    },
    change: unpack,
  },
  {
    name: 'new folder',
    events: (folder) => [`folder.made /${folder}/new`],
    async change({ intake: { deps, ctx } }, folder) {
      await makeFolder(deps.files, ctx, { ...PLACE, folder: `/${folder}`, name: 'new' })
    },
  },
  {
    name: 'rename',
    events: (folder) => [`file.renamed /${folder}/other`],
    async change({ intake: { deps, ctx } }, folder) {
      await rename(deps.files, ctx, { ...PLACE, path: `/${folder}`, oldName: 'tree', newName: 'other' })
    },
  },
]

/** Kills a server at points of a change, starts the next one and compares database, disk, quota and events. */
export class KillCampaign implements AsyncDisposable {
  readonly #site: JobSite
  readonly #kill: KillSwitch
  #turn = 0

  private constructor(site: JobSite, kill: KillSwitch) {
    this.#site = site
    this.#kill = kill
  }

  static async open(world: World): Promise<KillCampaign> {
    const kill = new KillSwitch()
    const site = await JobSite.open(kill.world(world), { db: world.database.db, isDead: () => kill.isDead })
    for (const store of site.intake.deps.files.storages.all()) kill.watch(store)
    await site.nextAccount()
    return new KillCampaign(site, kill)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#site[Symbol.asyncDispose]()
  }

  /** @returns kills, and everything that must not be */
  async attack(attacked: Attacked, which: 'every' | 'around changes'): Promise<{ kills: number; faults: string[] }> {
    const { calls, faults } = await this.#turnOf(attacked)
    const points = which === 'every' ? [...calls.keys()] : pointsAroundChanges(calls)
    let kills = 0
    for (const point of points) {
      const turn = await this.#turnOf(attacked, point)
      if (turn.wasKilled) kills++
      faults.push(...turn.faults.map((fault) => `${attacked.name}, killed at call ${point}: ${fault}`))
    }
    return { kills, faults }
  }

  async #turnOf({ prepare, change, events }: Attacked, point?: number) {
    const site = this.#site
    const folder = `turn-${this.#turn++}`
    await site.intake.upload(bytes(100, 1), { relativePath: `${folder}/file` })
    await site.intake.upload(bytes(200, 2), { relativePath: `${folder}/tree/inside` })
    await site.intake.upload(bytes(300, 3), { relativePath: `${folder}/tree/deep/inside` })
    await site.intake.upload(bytes(40, 4), { relativePath: `${folder}/target/file` })
    await prepare?.(site, folder)
    await site.deps.db.deleteFrom('outbox').execute()
    const before = this.#names(folder)
    this.#kill.arm(point)
    // Whoever asked hears nothing; only what is there afterwards counts.
    await change(site, folder).catch((thrown: unknown) => {
      if (!this.#kill.isDead) throw thrown
    })
    const wasKilled = this.#kill.isDead
    // Nothing of the dead process may still be on its way when the next one begins.
    await site.queue.stop()
    const calls = this.#kill.revive()
    site.intake.world.clock.advance(1_000)
    await site.restart()
    await site.intake.expireLeases()
    await this.#start()
    const failures = await site.runJobs()
    await site.deps.files.steps.recover()
    const faults = [
      ...failures,
      ...(await this.#ledger()),
      ...(await this.#eventFaults(events(folder), before.join() === this.#names(folder).join())),
    ]
    if (point === undefined && (await this.#seen()).length === 0) faults.push('the change did nothing')
    return { calls, wasKilled, faults }
  }

  /** What a server does before it takes requests. */
  async #start(): Promise<void> {
    await this.#site.deps.files.steps.recover()
    await recoverBatches(this.#site.intake.deps)
  }

  async #seen(): Promise<string[]> {
    const rows = await this.#site.deps.db.selectFrom('outbox').select(['type', 'payload']).orderBy('seq').execute()
    return rows.map(({ type, payload }) => `${type} ${(JSON.parse(payload) as FileEvent).path}`).toSorted()
  }

  /** All events of the change once each, or none where it never began. */
  async #eventFaults(expected: readonly string[], isUntouched: boolean): Promise<string[]> {
    const seen = await this.#seen()
    const wanted = isUntouched ? [] : [...expected].toSorted()
    return seen.join() === wanted.join() ? [] : [`events [${seen.join(', ')}] instead of [${wanted.join(', ')}]`]
  }

  /** Names of all that is in the folder and in the recycle bin. */
  #names(folder: string): string[] {
    const { world, alice } = this.#site.intake
    const bin = path.join(world.folder, 'files/.godwit-recycle', alice.id)
    const tops = [this.#site.intake.onDisk(folder), bin].filter((top) => fs.existsSync(top))
    return tops.flatMap((top) => fs.readdirSync(top, { recursive: true, encoding: 'utf8' })).toSorted()
  }

  /** Quota, recycle bin and recorded hashes against the disk, to the byte. */
  async #ledger(): Promise<string[]> {
    const { intake, deps } = this.#site
    const { alice } = intake
    const files = path.join(intake.world.folder, 'files')
    const shown = filesBelow(files, alice.home)
    const binned = filesBelow(files, `.godwit-recycle/${alice.id}`)
    const items = await deps.db.selectFrom('recycle_items').selectAll().where('owner_id', '=', alice.id).execute()
    const quota = await deps.db.selectFrom('quotas').selectAll().where('user_id', '=', alice.id).executeTakeFirst()
    const hashes = await deps.db.selectFrom('file_hashes').select(['storage_key', 'hash']).execute()
    const recorded = new Map(hashes.map(({ storage_key: key, hash }) => [key ?? '', hash]))
    const there = new Map([...shown, ...binned])
    const inBin = sum(binned.values())
    const listed = items.reduce((total, { size }) => total + Number(size), 0)
    const steps = await deps.db.selectFrom('file_steps').selectAll().execute()
    const batches = await deps.db.selectFrom('intake_batches').selectAll().execute()
    return [
      ...differs('used bytes', Number(quota?.used_bytes), sum(there.values())),
      ...differs('reserved bytes', Number(quota?.reserved_bytes), 0),
      ...differs('bytes of recycled items', listed, inBin),
      ...differs('steps and batches left', steps.length + batches.length, 0),
      ...items
        .filter((item) => !fs.existsSync(path.join(files, item.storage_key)))
        .map(({ path: at }) => `${at} is lost`),
      ...[...there].flatMap(([key, content]) => differs(`hash of ${key}`, recorded.get(key), rootOfBytes(content))),
      ...[...recorded.keys()].filter((key) => !there.has(key)).map((key) => `${key} has a recorded hash and is gone`),
    ]
  }
}

function differs(what: string, found: unknown, wanted: unknown): string[] {
  return found === wanted ? [] : [`${what}: ${String(found)} instead of ${String(wanted)}`]
}

function sum(contents: Iterable<Buffer>): number {
  return [...contents].reduce((total, { length }) => total + length, 0)
}

/** Contents by their keys on the storage. */
function filesBelow(root: string, key: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const top = path.join(root, key)
  if (!fs.existsSync(top)) return files
  for (const entry of fs.readdirSync(top, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const place = path.join(entry.parentPath, entry.name)
    files.set(path.relative(root, place), fs.readFileSync(place))
  }
  return files
}
