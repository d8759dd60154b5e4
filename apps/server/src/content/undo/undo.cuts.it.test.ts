import type { AnyJob } from '../../kernel/queue/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../testing/worlds.ts'
import { ONE_STORAGE, PAIRS, TwoStorages } from '../files/jobs/testing/two-storages.ts'
import { KillSwitch, pointsAroundChanges } from '../recycle/testing/kill-switch.ts'
import { TwoPlaces } from './testing/two-places.ts'

const WORLDS = [ONE_STORAGE, ...PAIRS.slice(0, 3)]

type Phase = 'transfer' | 'undo'

interface Work {
  readonly kind: 'copy' | 'move'
  readonly more: object
}

const BETWEEN: ReadonlyArray<[Phase, Work]> = [
  ['undo', { kind: 'move', more: {} }],
  ['transfer', { kind: 'move', more: {} }],
  ['transfer', { kind: 'copy', more: {} }],
]
const WITHIN: ReadonlyArray<[Phase, Work]> = [
  ['transfer', { kind: 'move', more: { target: '/to', targetGroupId: 0 } }],
  ['transfer', { kind: 'copy', more: { target: '/to', targetGroupId: 0 } }],
]

describe.each(WORLDS)('a server that is killed, between $name', (pair) => {
  let two: TwoStorages
  let places: TwoPlaces
  const kill = new KillSwitch()

  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(await pair.url()), pair, kill)
    places = new TwoPlaces(two)
  }, 60_000)
  afterAll(async () => two[Symbol.asyncDispose]())

  /** Ends the process at a call of the work, and what it left in the next one. @returns its calls, and what failed */
  async function cut(point: number | undefined, work: () => Promise<unknown>) {
    kill.arm(point)
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

  async function lastJob(): Promise<AnyJob | undefined> {
    const { db } = two.site.intake.world.database
    const { id } = await db.selectFrom('jobs').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    return two.site.queue.byId(id)
  }

  /** A turn of a move out and its undo, of which one is cut short. */
  async function turnOf(phase: 'transfer' | 'undo', { kind, more }: Work, point?: number) {
    await places.prepare()
    const within = await places.state()
    const jobs = await two.site.deps.db.selectFrom('jobs').select('id').execute()
    const transfer = () => places.transfer(kind, ['/box', '/file'], more)
    const first = await cut(phase === 'transfer' ? point : undefined, transfer)
    const job = await lastJob()
    if (job === undefined || jobs.some(({ id }) => id === job.id)) return { calls: first.calls, faults: first.failures }
    const made = await places.state()
    const second = await cut(phase === 'undo' ? point : undefined, () => places.undo(job.id))
    const now = await places.state()
    const isUntouched = phase === 'undo' && point !== undefined && now === made
    const isDone = now === within || (kind === 'copy' && withoutBin(now) === withoutBin(within))
    const faults = [...first.failures, ...second.failures, ...(isDone || isUntouched ? [] : [`${within}\n\n${now}`])]
    const { calls } = phase === 'undo' ? second : first
    return { calls, faults: faults.map((fault) => `${kind}, killed at call ${point} of its ${phase}: ${fault}`) }
  }

  /** All but the books, which tell also what is in the recycle bin, and of what became a version. */
  const withoutBin = (state: string): string =>
    state
      .split('\n')
      .slice(2)
      .filter((line) => !line.startsWith('version '))
      .join('\n')

  it.each(pair === ONE_STORAGE ? [...BETWEEN, ...WITHIN] : BETWEEN)(
    'in the middle of the %s of %j, has all where it was after the undo',
    async (phase, work) => {
      const { calls, faults } = await turnOf(phase, work)
      expect(faults).toEqual([])
      // All of them for moves in one storage; elsewhere it is the same code over other storages.
      const isMain = pair === ONE_STORAGE && work.kind === 'move'
      const every = isMain ? 1 : pair === ONE_STORAGE ? 3 : pair === PAIRS[0] && phase === 'undo' ? 2 : 10
      const points = pointsAroundChanges(calls).filter((_point, at) => at % every === 0)
      for (const point of points) faults.push(...(await turnOf(phase, work, point)).faults)
      expect(faults).toEqual([])
      expect(points.length).toBeGreaterThan(2)
    },
  )
})
