import type { AnyJob } from '../../../kernel/queue/index.ts'
import { openWorld } from '../../../testing/worlds.ts'
import { type ONE_STORAGE, type PAIRS, TwoStorages } from '../../files/jobs/testing/two-storages.ts'
import { KillSwitch, pointsAroundChanges } from '../../recycle/testing/kill-switch.ts'
import { TwoPlaces } from './two-places.ts'

export type Phase = 'transfer' | 'undo'

export interface Work {
  readonly kind: 'copy' | 'move'
  readonly more: object
}

/** What goes from one place to the other, and which of the two is cut short. */
export const BETWEEN: ReadonlyArray<[Phase, Work]> = [
  ['undo', { kind: 'move', more: {} }],
  ['transfer', { kind: 'move', more: {} }],
  ['transfer', { kind: 'copy', more: {} }],
]
/** The same within one place. */
export const WITHIN: ReadonlyArray<[Phase, Work]> = [
  ['transfer', { kind: 'move', more: { target: '/to', targetGroupId: 0 } }],
  ['transfer', { kind: 'copy', more: { target: '/to', targetGroupId: 0 } }],
]

/** The call at which the process ends: the so many calls before it, or those of one kind. */
type Point = number | { readonly call: string; readonly before: number }

interface Turn {
  readonly calls: Parameters<typeof pointsAroundChanges>[0]
  readonly faults: string[]
}

/** A server that is killed in the middle of a copy, a move or its undo, between two places. */
export class CutShort implements AsyncDisposable {
  readonly #two: TwoStorages
  readonly #places: TwoPlaces
  readonly #kill: KillSwitch

  static async open(pair: (typeof PAIRS)[number] | typeof ONE_STORAGE): Promise<CutShort> {
    const kill = new KillSwitch()
    return new CutShort(await TwoStorages.open(await openWorld(await pair.url()), pair, kill), kill)
  }

  private constructor(two: TwoStorages, kill: KillSwitch) {
    this.#two = two
    this.#kill = kill
    this.#places = new TwoPlaces(two)
  }

  /**
   * Does the work again and again, killed at another call each time.
   * @param every which of the calls around changes of a storage: 1 for all of them
   * @returns how often it was killed, and all that was not as it should be afterwards
   */
  async run(phase: Phase, work: Work, every: number): Promise<{ readonly kills: number; readonly faults: string[] }> {
    const { calls, faults } = await this.#turn(phase, work)
    if (faults.length > 0) return { kills: 0, faults }
    const points = pointsAroundChanges(calls).filter((_point, at) => at % every === 0)
    for (const point of points) faults.push(...(await this.#turn(phase, work, point)).faults)
    return { kills: points.length, faults }
  }

  /** The same at each of these calls to a storage. */
  async runAt(phase: Phase, work: Work, call: string): Promise<{ readonly kills: number; readonly faults: string[] }> {
    const { calls, faults } = await this.#turn(phase, work)
    if (faults.length > 0) return { kills: 0, faults }
    const kills = calls.filter((made) => made === call).length
    for (let before = 0; before < kills; before++)
      faults.push(...(await this.#turn(phase, work, { call, before })).faults)
    return { kills, faults }
  }

  /** Ends the process at a call of the work, and what it left in the next one. @returns its calls, and what failed */
  async #cut(point: Point | undefined, work: () => Promise<unknown>) {
    const [kill, two, places] = [this.#kill, this.#two, this.#places]
    if (typeof point === 'object') kill.arm(point.before, point.call)
    else kill.arm(point)
    await work().catch((thrown: unknown) => {
      if (!kill.isDead) throw thrown
    })
    await two.site.queue.stop()
    const calls = kill.revive()
    two.site.intake.world.clock.advance(1_000)
    await two.restart()
    places.bookReverts()
    await two.site.deps.files.steps.recover()
    const failures = await two.site.runJobs()
    await two.site.deps.files.steps.recover()
    return { calls, failures: [...failures, ...(await two.faults())] }
  }

  async #lastJob(): Promise<AnyJob | undefined> {
    const two = this.#two
    const { db } = two.site.intake.world.database
    const { id } = await db.selectFrom('jobs').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    return two.site.queue.byId(id)
  }

  /** A turn of a move out and its undo, of which one is cut short. */
  async #turn(phase: Phase, { kind, more }: Work, point?: Point): Promise<Turn> {
    const [two, places] = [this.#two, this.#places]
    const where = `${kind}, killed at call ${JSON.stringify(point)} of its ${phase}`
    await places.prepare()
    const within = await places.state()
    const jobs = await two.site.deps.db.selectFrom('jobs').select('id').execute()
    const transfer = () => places.transfer(kind, ['/box', '/file'], more)
    const first = await this.#cut(phase === 'transfer' ? point : undefined, transfer)
    const job = await this.#lastJob()
    if (job === undefined || jobs.some(({ id }) => id === job.id)) return { calls: first.calls, faults: first.failures }
    const { made: undoable } = job.progress as { readonly made?: unknown }
    if (job.state !== 'completed' || undoable === undefined) {
      const left = `the job is ${job.state} and says ${JSON.stringify(job.progress)}`
      const what = `${where}: ${left}`
      return { calls: first.calls, faults: [...first.failures, what] }
    }
    const made = await places.state()
    const second = await this.#cut(phase === 'undo' ? point : undefined, () => places.undo(job.id))
    const now = await places.state()
    const isUntouched = phase === 'undo' && point !== undefined && now === made
    const isDone = now === within || (kind === 'copy' && withoutBin(now) === withoutBin(within))
    const faults = [...first.failures, ...second.failures, ...(isDone || isUntouched ? [] : [`${within}\n\n${now}`])]
    const { calls } = phase === 'undo' ? second : first
    return { calls, faults: faults.map((fault) => `${where}: ${fault}`) }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#two[Symbol.asyncDispose]()
  }
}

/** All but the books, which also record what is in the recycle bin, and of what became a version. */
function withoutBin(state: string): string {
  return state
    .split('\n')
    .slice(2)
    .filter((line) => !line.startsWith('version '))
    .join('\n')
}
