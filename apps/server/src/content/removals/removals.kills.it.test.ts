import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { secureRandom } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addStorage } from '../../foundation/storages/index.ts'
import { createUser, type UserRow } from '../../identity/users/index.ts'
import { openVault } from '../../kernel/crypto/index.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { recoverBatches } from '../intake/batches.ts'
import { rootOfBytes } from '../tree-hashes/index.ts'
import { JobSite } from '../recycle/testing/job-site.ts'
import { KillSwitch, pointsAroundChanges } from '../recycle/testing/kill-switch.ts'
import { runRemoval } from './removals.job.ts'
import type { FilesFate } from './removals.schema.ts'
import { BY_SYSTEM, removeAccount } from './removals.service.ts'
import { removalsStore } from './removals.store.ts'

/** Calls from one kill to the next. */
const EVERY = 10

interface Turn {
  readonly fate: FilesFate
  readonly to?: UserRow
  readonly point?: number
}

/** Removes one account after the other, cut short at a point each, and compares database, disk and quota. */
class RemovalCampaign implements AsyncDisposable {
  readonly #site: JobSite
  readonly #kill: KillSwitch
  readonly #folder: string
  /** Looks on from outside of the process. */
  readonly #db: Db

  private constructor(site: JobSite, kill: KillSwitch, { folder, database: { db } }: World) {
    this.#site = site
    this.#kill = kill
    this.#folder = folder
    this.#db = db
  }

  static async open(world: World): Promise<RemovalCampaign> {
    const kill = new KillSwitch()
    const site = await JobSite.open(kill.world(world), { db: world.database.db, isDead: () => kill.isDead })
    for (const store of site.intake.deps.files.storages.all()) kill.watch(store)
    return new RemovalCampaign(site, kill, world)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#site[Symbol.asyncDispose]()
    fs.rmSync(this.#second, { recursive: true, force: true })
  }

  get #second(): string {
    return `${this.#folder}-second`
  }

  receiver(account: string): Promise<UserRow> {
    return createUser(this.#site.intake.users, { account, email: '', password: 'Sunrise-42x' })
  }

  /** Its files go to another storage than everybody else's. */
  async receiverElsewhere(account: string): Promise<UserRow> {
    const { db, world } = { ...this.#site.deps, world: this.#site.intake.world }
    const user = await this.receiver(account)
    const admin = { db, data: world.folder, reserveBytes: 0, clock: world.clock, random: secureRandom }
    const vault = () => openVault(world.folder, secureRandom)
    const settings = { folder: this.#second }
    const { id } = await addStorage(
      { ...admin, vault, program: '/opt/godwit' },
      { name: 'Second', kind: 'local', settings, secret: '', spaceId: 1, isDefault: false },
    )
    await db.insertInto('places').values({ owner_id: user.id, space_id: 1, group_id: 0, storage_id: id }).execute()
    return user
  }

  /** @returns kills, and everything that must not be */
  async attack(turn: Turn, which: 'often' | 'around changes'): Promise<{ kills: number; faults: string[] }> {
    const { calls, faults } = await this.#turnOf(turn)
    const often = which === 'often' ? [...calls.keys()].filter((call) => call % EVERY === 0) : []
    const points = new Set([...often, ...pointsAroundChanges(calls)])
    let kills = 0
    for (const point of points) {
      const { wasKilled, faults: found } = await this.#turnOf({ ...turn, point })
      if (wasKilled) kills++
      faults.push(...found.map((fault) => `killed at call ${point}: ${fault}`))
    }
    return { kills, faults }
  }

  async #turnOf({ fate, to, point }: Turn) {
    const site = this.#site
    const { intake } = site
    await site.nextAccount()
    const { alice } = intake
    await intake.upload(bytes(100, 1), { relativePath: 'one' })
    await intake.upload(bytes(200, 2), { relativePath: 'tree/two' })
    await intake.upload(bytes(3_000, 3), { relativePath: 'tree/deep/three' })
    await intake.upload(bytes(40, 4), { relativePath: 'gone' })
    await site.call('remove', { paths: ['/gone'] })
    await site.runJobs()
    const unfinished = await intake.create({ size: 500, filename: 'unfinished' })
    await intake.put(unfinished.live, 0, bytes(500, 5))
    this.#handle()
    this.#kill.arm(point)
    await this.#remove(alice, { fate, ...(to === undefined ? {} : { to }) }).catch((thrown: unknown) => {
      if (!this.#kill.isDead) throw thrown
    })
    const wasKilled = this.#kill.isDead
    await site.queue.stop()
    const calls = this.#kill.revive()
    intake.world.clock.advance(1_000)
    await site.restart()
    await intake.expireLeases()
    await site.deps.files.steps.recover()
    await recoverBatches(intake.deps)
    this.#handle()
    await this.#run()
    await site.queue.stop()
    await site.deps.files.steps.recover()
    const faults = await this.#faults(alice, { fate, ...(to === undefined ? {} : { to }) })
    if (point === undefined && (await this.#isThere(alice))) faults.push('the account was not removed')
    return { calls, wasKilled, faults }
  }

  async #remove(user: UserRow, { fate: files, to }: Turn): Promise<void> {
    const { queue, intake, deps } = this.#site
    const { clock } = intake.world
    await inTransaction(deps.db, (tx) => removeAccount({ clock, queue }, tx, user, { ...BY_SYSTEM, files, to }))
    await this.#run()
  }

  #handle(): void {
    const { queue, deps, intake } = this.#site
    const { storages } = deps.files
    const { clock } = intake.world
    const jobDeps = { ...deps, queue, storages, clock, intake: intake.intake }
    queue.handle({ 'account-files': (job, run) => runRemoval(jobDeps, job, run) }, 'removals')
  }

  /** Until no job is left; a job that waits for something has its time at once. */
  async #run(): Promise<void> {
    const { queue, intake } = this.#site
    const open = () => this.#db.selectFrom('jobs').select('id').where('state', 'in', ['queued', 'running']).execute()
    queue.start()
    while (!this.#kill.isDead && (await open()).length > 0) {
      intake.world.clock.advance(500)
      await pause(2)
    }
    if (this.#kill.isDead) throw new Error('the process is dead')
  }

  async #isThere({ id }: UserRow): Promise<boolean> {
    return (await this.#site.deps.db.selectFrom('users').select('id').where('id', '=', id).execute()).length > 0
  }

  async #faults(alice: UserRow, { fate, to }: Turn): Promise<string[]> {
    const home = this.#below('files', alice.home)
    const isRemoved = !(await this.#isThere(alice))
    if (!isRemoved || fate === 'keep') {
      const state = (await removalsStore.byId(this.#site.deps.db, alice.id))?.state
      return [
        ...differs('files of the account', [...home.keys()].toSorted().join(), 'one,tree/deep/three,tree/two'),
        ...differs('state', state, isRemoved ? 'kept' : undefined),
        ...(isRemoved ? await this.#quotaFaults(alice.id, 3_340) : []),
      ]
    }
    return [
      ...(await this.#goneFaults(alice, home)),
      ...(to === undefined ? [] : await this.#receivedFaults(alice, to)),
    ]
  }

  /** Nothing of the account is left, on the disk or in the books. */
  async #goneFaults({ id }: UserRow, home: ReadonlyMap<string, Buffer>): Promise<string[]> {
    const { db } = this.#site.deps
    const left = await Promise.all([
      db.selectFrom('recycle_items').select('id').where('owner_id', '=', id).execute(),
      db.selectFrom('quotas').select('user_id').where('user_id', '=', id).execute(),
      db.selectFrom('places').select('owner_id').where('owner_id', '=', id).execute(),
      db.selectFrom('file_steps').select('id').execute(),
      db.selectFrom('uploads').select('id').where('user_id', '=', id).where('state', 'in', ['open']).execute(),
    ])
    const hidden = [...this.#below('files').keys()]
    return [
      ...differs('files of the account', home.size, 0),
      ...left.flatMap((rows, at) => differs(`rows of kind ${at}`, rows.length, 0)),
      ...differs('state', (await removalsStore.byId(db, id))?.state, 'done'),
      ...differs('hidden files', hidden.filter((name) => name.includes(id)).join(), ''),
    ]
  }

  async #receivedFaults(alice: UserRow, to: UserRow): Promise<string[]> {
    const { db } = this.#site.deps
    const row = await removalsStore.byId(db, alice.id)
    const root = to.account === 'elsewhere' ? this.#second : path.join(this.#folder, 'files')
    const received = filesBelow(path.join(root, to.home, alice.account))
    const all = filesBelow(path.join(root, to.home))
    const hashes = new Map(
      (await db.selectFrom('file_hashes').select(['storage_key', 'hash']).execute()).map((each) => [
        each.storage_key,
        each.hash,
      ]),
    )
    const used = [...all.values()].reduce((sum, { length }) => sum + length, 0)
    const events = await db.selectFrom('outbox').select('payload').where('type', '=', 'file.copied').execute()
    const told = events.filter(({ payload }) => payload.includes(`"fromUserId":"${alice.id}"`))
    return [
      ...differs('files received', [...received.keys()].toSorted().join(), 'one,tree/deep/three,tree/two'),
      ...differs('bytes received', received.get('tree/deep/three')?.equals(bytes(3_000, 3)), true),
      ...differs('folders', row?.folders.includes(`"path":"/${alice.account}","isDone":true`), true),
      ...differs('events', told.length, 1),
      ...[...received].flatMap(([name, content]) => {
        const key = `${to.home}/${alice.account}/${name}`
        return differs(`hash of ${key}`, hashes.get(key), rootOfBytes(content))
      }),
      ...(await this.#quotaFaults(to.id, used)),
    ]
  }

  async #quotaFaults(userId: string, used: number): Promise<string[]> {
    const { db } = this.#site.deps
    const quota = await db.selectFrom('quotas').selectAll().where('user_id', '=', userId).executeTakeFirst()
    return [
      ...differs('used bytes', Number(quota?.used_bytes ?? 0), used),
      ...differs('reserved bytes', Number(quota?.reserved_bytes ?? 0), 0),
    ]
  }

  #below(...names: readonly string[]): Map<string, Buffer> {
    return filesBelow(path.join(this.#folder, ...names))
  }
}

function differs(what: string, found: unknown, wanted: unknown): string[] {
  return found === wanted ? [] : [`${what}: ${String(found)} instead of ${String(wanted)}`]
}

function filesBelow(top: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  if (!fs.existsSync(top)) return files
  for (const entry of fs.readdirSync(top, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const place = path.join(entry.parentPath, entry.name)
    files.set(path.relative(top, place), fs.readFileSync(place))
  }
  return files
}

for (const { dialect, open } of DATABASES) {
  // On one database at calls of every kind; on the other one where books and disk may come apart.
  const which = dialect === 'sqlite' ? 'often' : 'around changes'

  describe(`a server that is killed while it sees to the files of a removed account, on ${dialect}`, () => {
    let campaign: RemovalCampaign
    beforeAll(async () => (campaign = await RemovalCampaign.open(await open())))
    afterAll(async () => campaign[Symbol.asyncDispose]())

    it('keeps them', async () => {
      expect((await campaign.attack({ fate: 'keep' }, 'around changes')).faults).toEqual([])
    })

    it('deletes them, with the bin and what was being uploaded', async () => {
      const { kills, faults } = await campaign.attack({ fate: 'delete' }, which)
      expect(faults).toEqual([])
      expect(kills).toBeGreaterThan(0)
    })

    it('makes them a folder of another account, in one step on one storage', async () => {
      const to = await campaign.receiver('receiver')
      const { kills, faults } = await campaign.attack({ fate: 'hand-over', to }, which)
      expect(faults).toEqual([])
      expect(kills).toBeGreaterThan(0)
    })

    it('copies and verifies them where the other account is on another storage', async () => {
      const to = await campaign.receiverElsewhere('elsewhere')
      const { kills, faults } = await campaign.attack({ fate: 'hand-over', to }, which)
      expect(faults).toEqual([])
      expect(kills).toBeGreaterThan(0)
    })
  })
}
