import { setTimeout as pause } from 'node:timers/promises'
import { secureRandom } from '@godwit/base'
import type { Db } from '../../../kernel/db/index.ts'
import { loadJobPrincipal } from '../../../identity/principals/index.ts'
import { createQueue, type JobHandlers, type Queue } from '../../../kernel/queue/index.ts'
import type { World } from '../../../testing/worlds.ts'
import { runUnpack, startUnpack } from '../../archives/unpack.ts'
import { fileJobs, fileJobsOperations, type FileProgress } from '../../files/index.ts'
import { IntakeSite } from '../../intake/testing/intake-site.ts'
import type { RecycleDeps } from '../recycle.deps.ts'
import { bookRecycleSteps, recycleJobs, recycleOperations } from '../recycle.operations.ts'
import { recyclePlaces } from '../recycle.place.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** Looks on from outside of the process. */
interface Watch {
  readonly db: Db
  readonly isDead: () => boolean
}

/** A server's files, uploads, jobs and recycle bin over a real database and a real disk. Jobs run when a test says so. */
export class JobSite implements AsyncDisposable {
  readonly intake: IntakeSite
  queue: Queue
  deps: RecycleDeps

  readonly #watch: Watch

  private constructor(intake: IntakeSite, watch: Watch) {
    this.intake = intake
    this.#watch = watch
    this.queue = this.#newQueue()
    this.deps = this.#open()
  }

  static async open(world: World, watch: Watch = { db: world.database.db, isDead: () => false }): Promise<JobSite> {
    return new JobSite(await IntakeSite.open(world), watch)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.queue.stop()
    await this.intake[Symbol.asyncDispose]()
  }

  /** A new account, whose names and bytes are its own. */
  async nextAccount(): Promise<void> {
    await this.intake.nextAccount()
    await this.restart()
  }

  /** As a process that knows nothing but what the database and the disk hold. Jobs of the former one are free at once. */
  async restart(): Promise<void> {
    await this.queue.stop()
    this.intake.restart()
    const { db } = this.intake.world.database
    await db.updateTable('jobs').set({ lease_until: 0, run_at: 0 }).execute()
    this.queue = this.#newQueue()
    this.deps = this.#open()
  }

  /** Calls an operation as a page does. The answer does not wait for its job. */
  async call(name: string, input: object): Promise<unknown> {
    const operations = [...fileJobsOperations(this.deps), ...recycleOperations(this.deps)]
    const operation = operations.find(({ spec }) => spec.name === name)
    if (operation === undefined) throw new Error(`no operation ${name}`)
    return operation.handle(this.intake.ctx, operation.spec.input.parse({ spaceId: 1, groupId: 0, ...input }) as never)
  }

  /** Unpacks an archive into a folder of its name beside it. The answer does not wait for its job. */
  async unpack(file: string): Promise<void> {
    const target = file.slice(0, file.lastIndexOf('/'))
    await startUnpack(this.#archives(), this.intake.ctx, { spaceId: 1, groupId: 0, path: file, target })
  }

  #archives(deps = this.deps) {
    return { ...deps, intake: this.intake.intake }
  }

  /**
   * Runs jobs until none is left.
   * @returns the failures of all of them, as `path code`
   * @throws Error when the process dies meanwhile
   */
  async runJobs(): Promise<string[]> {
    const { db, isDead } = this.#watch
    const open = () => db.selectFrom('jobs').select('id').where('state', 'in', ['queued', 'running']).execute()
    const ids = (await open()).map(({ id }) => id)
    this.queue.start()
    while ((await open()).length > 0) {
      if (isDead()) throw new Error('the process is dead')
      await pause(2)
    }
    if (ids.length === 0) return []
    const jobs = await db.selectFrom('jobs').selectAll().where('id', 'in', ids).orderBy('id').execute()
    return jobs.flatMap(({ kind, state, progress }) => {
      const { failures } = JSON.parse(progress) as FileProgress
      const ended = state === 'completed' ? [] : [`${kind} ${state}`]
      return [...failures.map(({ path, code }) => `${path} ${code}`), ...ended]
    })
  }

  #newQueue(): Queue {
    const { clock, bus, ids, database } = this.intake.world
    return createQueue({ database, clock, random: secureRandom, ids, bus, log: SILENT })
  }

  #open(): RecycleDeps {
    const { files, db, quotas, ids } = this.intake.deps
    const { queue } = this
    const deps: RecycleDeps = {
      ...{ files, db, quotas, ids },
      queue: {
        add: (job, tx) => queue.add(job, tx),
        byId: (id) => queue.byId(id),
        settled: async (id) => {
          const job = await queue.byId(id)
          if (job === undefined) throw new Error('a job vanished')
          return job
        },
        cancel: (id) => queue.cancel(id),
      },
      keptDays: 30,
      principalOf: (job) => loadJobPrincipal({ db, clock: this.intake.world.clock }, job),
    }
    files.access.place('recycle', recyclePlaces(db))
    bookRecycleSteps(deps)
    const unpack: JobHandlers['unpack'] = (job, run) => runUnpack(this.#archives(deps), job, run)
    queue.handle({ ...fileJobs(deps), ...recycleJobs(deps), unpack })
    return deps
  }
}
