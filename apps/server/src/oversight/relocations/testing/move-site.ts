import { setTimeout as pause } from 'node:timers/promises'
import type { ObjectStore } from '@godwit/storage'
import { contentOf, filesBelow, TwoStorages, type PAIRS } from '../../../content/files/jobs/testing/two-storages.ts'
import { bytes } from '../../../content/intake/testing/intake-site.ts'
import { KillSwitch } from '../../../content/recycle/testing/kill-switch.ts'
import type { RunningStorages } from '../../../foundation/storages/index.ts'
import { inTransaction, readRows, tableShapes, type Database } from '../../../kernel/db/index.ts'
import { openWorld } from '../../../testing/worlds.ts'
import { movePlaces } from '../relocations.service.ts'
import { runSpaceMove } from '../space-moves.job.ts'
import { NO_PROGRESS } from '../space-moves.service.ts'
import { spaceMovesStore } from '../space-moves.store.ts'

/** What a move is about, and what runs by itself. */
const OWN_TABLES = ['place_moves', 'place_copies', 'space_moves', 'jobs', 'outbox', 'outbox_sequence']

interface Snapshot {
  /** Files, earlier contents and the bin. */
  readonly files: ReadonlyMap<string, string>
  /** Every row that the move has nothing to do with, without the tags of storages. */
  readonly rows: ReadonlyMap<string, readonly string[]>
}

/** A home that moves to another storage, in a process that may be killed at any call to the database or a storage. */
export class MoveSite implements AsyncDisposable {
  readonly two: TwoStorages
  readonly #kill: KillSwitch
  readonly #database: Database

  private constructor(two: TwoStorages, kill: KillSwitch, database: Database) {
    this.two = two
    this.#kill = kill
    this.#database = database
  }

  static async open(pair: (typeof PAIRS)[number]): Promise<MoveSite> {
    const kill = new KillSwitch()
    const world = await openWorld(await pair.url())
    return new MoveSite(await TwoStorages.open(world, pair, kill), kill, world.database)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.two[Symbol.asyncDispose]()
  }

  get intake() {
    return this.two.site.intake
  }

  /** Behind the switch. */
  get db() {
    return this.intake.world.database.db
  }

  get storages() {
    return this.two.site.deps.files.storages
  }

  get to(): number {
    return this.storages.idOf(this.two.library)
  }

  get deps() {
    const { clock } = this.intake.world
    return { db: this.db, clock, storages: this.storages, signal: new AbortController().signal }
  }

  get chosen() {
    return { spaceId: 1, ownerId: this.intake.alice.id }
  }

  move(isFinal = false) {
    return movePlaces(this.deps, { ...this.chosen, to: this.to, isFinal })
  }

  /** A new home with files, an earlier content and a deleted file. */
  async prepare(): Promise<void> {
    await this.two.nextAccount()
    await this.intake.upload(bytes(70_000, 1), { relativePath: 'one' })
    await this.intake.upload(bytes(200, 2), { relativePath: 'tree/two' })
    await this.intake.upload(bytes(0, 2), { relativePath: 'tree/empty' })
    await this.intake.upload(bytes(300, 3), { relativePath: 'tree/two', conflict: 'replace' })
    await this.intake.upload(bytes(40, 4), { relativePath: 'gone' })
    await this.two.site.call('remove', { paths: ['/gone'] })
    const failures = await this.two.site.runJobs()
    if (failures.length > 0) throw new Error(failures.join())
  }

  /** As if every subscriber had heard of everything. */
  async deliver(): Promise<void> {
    await this.db.deleteFrom('outbox').execute()
  }

  async everything(store: ObjectStore): Promise<Map<string, string>> {
    const home = await filesBelow(store, this.intake.alice.home)
    const found = [...home].map(([name, content]): [string, string] => [name, content.toString('hex')])
    for (const key of await this.#hiddenKeys()) found.push([key, (await contentOf(store, key)).toString('hex')])
    return new Map(found)
  }

  /**
   * The whole move of a home, from the console’s job over the switch to the freed storage; killed at one call, and gone on with by the
   * next process.
   * @returns what was called, and everything that is not as it was before
   */
  async turn(point?: number): Promise<{ calls: readonly string[]; wasKilled: boolean; faults: string[] }> {
    await this.#forgetOthers()
    await this.prepare()
    await this.deliver()
    const before = await this.#snapshot(this.two.home)
    this.#kill.arm(point)
    await this.#wholeMove().catch((thrown: unknown) => {
      if (!this.#kill.isDead) throw thrown
    })
    const wasKilled = this.#kill.isDead
    // Nothing of the dead process may still be on its way when the next one begins.
    await this.two.site.queue.stop()
    const calls = this.#kill.revive()
    if (wasKilled) {
      await this.two.restart()
      await this.#wholeMove()
    }
    const faults = [
      ...differences(before, await this.#snapshot(this.two.library)),
      ...(await this.#left()),
      ...(await this.#quotaFaults()),
    ]
    return { calls, wasKilled, faults }
  }

  /** The job is for a whole space, and this turn about one home. */
  async #forgetOthers(): Promise<void> {
    const { db } = this.#database
    await db.deleteFrom('places').where('owner_id', '!=', '').execute()
    for (const table of ['place_copies', 'place_moves', 'space_moves'] as const) await db.deleteFrom(table).execute()
  }

  /** Each step does nothing where a process before this one has done it. */
  async #wholeMove(): Promise<void> {
    const { bus, ids, database } = this.intake.world
    const ordering = { bus, ids, dialect: database.dialect }
    const handle = { ...this.deps, ...ordering, storages: this.storages as RunningStorages }
    this.two.site.queue.handle({ 'space.move': (job, run) => runSpaceMove(handle, job as never, run) })
    await this.#task('copy')
    await this.move(true)
    await this.#task('free')
  }

  async #task(task: 'copy' | 'free'): Promise<void> {
    const { db, to } = this
    const { queue } = this.two.site
    const known = await spaceMovesStore.of(db, 1)
    if (known === undefined || (task === 'free' && known.task === 'copy')) {
      await inTransaction(db, async (tx) => {
        const payload = { spaceId: 1, task, to, after: '' }
        const wanted = { kind: 'space.move', ownerId: this.intake.alice.id, payload, progress: NO_PROGRESS } as const
        const { id } = await queue.add(wanted, tx)
        const row = {
          ...{ space_id: 1, to_storage: to, task, job_id: id, state: 'working' as const, error: '' },
          ...{ progress: '{}', started_at: 0, changed_at: 0, paused_server: 0 },
        }
        await spaceMovesStore.replace(tx, row, known)
      })
    }
    queue.start()
    while (await this.#isWorking()) {
      if (this.#kill.isDead) throw new Error('the process is dead')
      await pause(2)
    }
    const ended = await spaceMovesStore.of(this.#database.db, 1)
    if (ended?.state !== 'done') throw new Error(`the move is ${ended?.state}: ${ended?.error}`)
  }

  /** Looks on from outside of the process. */
  async #isWorking(): Promise<boolean> {
    const jobs = this.#database.db.selectFrom('jobs').select('id').where('state', 'in', ['queued', 'running'])
    return (await jobs.executeTakeFirst()) !== undefined
  }

  async #hiddenKeys(): Promise<string[]> {
    const { db } = this.#database
    const { id } = this.intake.alice
    const versions = db.selectFrom('file_versions').select('version_key as key').where('user_id', '=', id)
    const deleted = db.selectFrom('recycle_items').select('storage_key as key').where('owner_id', '=', id)
    return [...(await versions.execute()), ...(await deleted.execute())].map(({ key }) => key)
  }

  async #snapshot(store: ObjectStore): Promise<Snapshot> {
    const rows = new Map<string, string[]>()
    for (const shape of await tableShapes(this.#database)) {
      if (OWN_TABLES.includes(shape.name)) continue
      const found: string[] = []
      for await (const batch of readRows(this.#database.db, shape, {}))
        found.push(...batch.map((row) => JSON.stringify({ ...row, ...tagless(shape.name) })))
      rows.set(shape.name, found)
    }
    return { files: await this.everything(store), rows }
  }

  /** What the old storage still has, hashes with a tag that is not the file's, and rows of the move. */
  async #left(): Promise<string[]> {
    const { db } = this.#database
    const { home, library } = this.two
    const { alice } = this.intake
    const old = [...(await filesBelow(home, alice.home)).keys()]
    for (const key of await this.#hiddenKeys()) if ((await home.stat(key)) !== undefined) old.push(key)
    const noted = db.selectFrom('file_hashes').selectAll().where('storage_key', 'like', `${alice.home}/%`)
    const stale: string[] = []
    for (const { storage_key: key, etag } of await noted.execute())
      if ((await library.stat(key ?? ''))?.etag !== etag) stale.push(`${key} has another tag`)
    const copies = await db.selectFrom('place_copies').select('storage_key').execute()
    const moves = await db.selectFrom('place_moves').select('owner_id').execute()
    return [
      ...old.map((key) => `${key} is on the old storage`),
      ...stale,
      ...[...copies, ...moves].map((row) => JSON.stringify(row)),
    ]
  }

  /** What is booked, to the byte. */
  async #quotaFaults(): Promise<string[]> {
    const { used, reserved } = await this.two.usedBy(this.intake.alice.id)
    const there = await this.everything(this.two.library)
    const wanted = [...there.values()].reduce((sum, content) => sum + content.length / 2, 0)
    return used === wanted && reserved === 0
      ? []
      : [`${used} bytes booked and ${reserved} reserved instead of ${wanted}`]
  }
}

/** What a switch changes besides the rows of the move: tags, and where the place is. */
function tagless(table: string): Readonly<Record<string, null>> {
  return { etag: null, ...(table === 'places' ? { storage_id: null } : {}) }
}

function differences(before: Snapshot, after: Snapshot): string[] {
  return (['files', 'rows'] as const).flatMap((part) => {
    const keys = new Set([...before[part].keys(), ...after[part].keys()])
    const isOther = (key: string): boolean =>
      JSON.stringify(before[part].get(key)) !== JSON.stringify(after[part].get(key))
    return [...keys].filter(isOther).map((key) => `${key} is not what it was`)
  })
}
