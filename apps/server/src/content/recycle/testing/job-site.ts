import { secureRandom } from '@godwit/base'
import { loadJobPrincipal } from '../../../identity/principals/index.ts'
import { createQueue, type Queue } from '../../../kernel/queue/index.ts'
import type { World } from '../../../testing/worlds.ts'
import { fileJobs, fileJobsOperations } from '../../files/index.ts'
import { IntakeSite } from '../../intake/testing/intake-site.ts'
import type { RecycleDeps } from '../recycle.deps.ts'
import { bookRecycleSteps, recycleJobs, recycleOperations } from '../recycle.operations.ts'
import { recyclePlaces } from '../recycle.place.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** A server's files, uploads, jobs and recycle bin over a real database and a real disk. Jobs run when a test says so. */
export class JobSite implements AsyncDisposable {
  readonly intake: IntakeSite
  queue: Queue
  deps: RecycleDeps

  private constructor(intake: IntakeSite) {
    this.intake = intake
    this.queue = this.#newQueue()
    this.deps = this.#open()
  }

  static async open(world: World): Promise<JobSite> {
    return new JobSite(await IntakeSite.open(world))
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

  /** Runs jobs until none is left. @returns the failures of all of them, as `path code` */
  async runJobs(): Promise<string[]> {
    const { db } = this.intake.world.database
    const open = db.selectFrom('jobs').select('id').where('state', 'in', ['queued', 'running'])
    const ids = (await open.execute()).map(({ id }) => id)
    this.queue.start()
    const failures: string[] = []
    for (const id of ids) {
      const job = await this.queue.settled(id, 20_000)
      const progress = job.progress as { readonly failures?: ReadonlyArray<{ path: string; code: string }> }
      failures.push(...(progress.failures ?? []).map(({ path, code }) => `${path} ${code}`))
      if (job.state !== 'completed') failures.push(`${job.kind} ${job.state}`)
    }
    return failures
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
      principalOf: (job) => loadJobPrincipal(db, job),
    }
    files.access.place('recycle', recyclePlaces(db))
    bookRecycleSteps(deps)
    queue.handle({ ...fileJobs(deps), ...recycleJobs(deps) })
    return deps
  }
}
