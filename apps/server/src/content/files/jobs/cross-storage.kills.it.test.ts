import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../../testing/worlds.ts'
import { bytes } from '../../intake/testing/intake-site.ts'
import { KillSwitch, pointsAroundChanges } from '../../recycle/testing/kill-switch.ts'
import { LIBRARY, PAIRS, TwoStorages } from './testing/two-storages.ts'

const KILLED = PAIRS.filter(({ from }) => from === 'local')

describe.each(KILLED)('a server that is killed while it moves or copies between $name', (pair) => {
  let two: TwoStorages
  const kill = new KillSwitch()

  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(await pair.url()), pair, kill)
  }, 60_000)
  afterAll(async () => two[Symbol.asyncDispose]())

  const turnOf = async (kind: 'copy' | 'move', point?: number) => {
    await two.nextAccount()
    await two.clearLibrary()
    const { site } = two
    await site.intake.upload(bytes(60, 1), { relativePath: 'file' })
    await site.intake.upload(bytes(70, 2), { relativePath: 'file', conflict: 'replace' })
    await site.intake.upload(bytes(80, 3), { relativePath: 'tree/deep/inside' })
    await site.deps.db.deleteFrom('outbox').execute()
    kill.arm(point)
    const isAsked = await two.transfer(kind, ['/file', '/tree']).then(
      () => true,
      (thrown: unknown) => {
        if (!kill.isDead) throw thrown
        return false
      },
    )
    await site.queue.stop()
    const calls = kill.revive()
    site.intake.world.clock.advance(1_000)
    await two.restart()
    await site.deps.files.steps.recover()
    const failures = await site.runJobs()
    await site.deps.files.steps.recover()
    const there = await two.inLibrary()
    const here = await two.atHome()
    const all = ['file', 'tree/deep/inside'].map((name) => `${LIBRARY}/${name}`).join()
    const isDone = [...there.keys()].toSorted().join() === all && here.size === (kind === 'move' ? 0 : 2)
    const isUntouched = there.size === 0 && here.size === 2
    const isRight = isDone || (isUntouched && !isAsked)
    const faults = [
      ...failures,
      ...(await two.faults()),
      ...(isRight ? [] : [`${[...here.keys()].join()} here, ${[...there.keys()].join()} there`]),
    ]
    return { calls, faults: faults.map((fault) => `${kind}, killed at call ${point}: ${fault}`) }
  }

  it.each(['copy', 'move'] as const)('ends a %s whole, once, with nothing lost in between', async (kind) => {
    const { calls, faults } = await turnOf(kind)
    // All of them between two folders; elsewhere the storage or the database is another, and the code is the same.
    const isEach = pair.name === 'two folders'
    const points = pointsAroundChanges(calls).filter((_, at) => isEach || at % 4 === 0)
    for (const point of points) faults.push(...(await turnOf(kind, point)).faults)
    expect(faults).toEqual([])
    expect(points.length).toBeGreaterThan(4)
  })
})
