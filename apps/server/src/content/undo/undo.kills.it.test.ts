import fs from 'node:fs'
import type { JobView } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../testing/worlds.ts'
import { GROUP, PAIRS, TwoStorages } from '../files/jobs/testing/two-storages.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { startRemove } from '../recycle/recycle.service.ts'
import { KillSwitch, pointsAroundChanges } from '../recycle/testing/kill-switch.ts'
import { bookRevert } from '../versions/versions.upkeep.ts'
import { startUndo } from './undo.service.ts'

const FILES = ['box/inner', 'box/sub/deep', 'box/new/more', 'to/box/inner', 'to/box/own', 'to/box/sub/own']
const WORLDS = PAIRS.filter(({ from }) => from === 'local')

describe.each(WORLDS)('a server that is killed while it takes something back, on $name', (pair) => {
  let two: TwoStorages
  const kill = new KillSwitch()

  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(await pair.url()), pair, kill)
  }, 60_000)
  afterAll(async () => two[Symbol.asyncDispose]())

  /** Files of both places with their contents, and folders at home. */
  async function state(): Promise<string> {
    const files = [...(await two.atHome()), ...(await two.inLibrary())].map(
      ([key, content]) => `${key} ${content.toString('hex')}`,
    )
    const folders = fs.readdirSync(two.site.intake.onDisk(''), { recursive: true, encoding: 'utf8' })
    return [...files, ...folders].toSorted().join('\n')
  }

  const bookReverts = (): void => two.site.deps.files.steps.onBook('revert', bookRevert(two.site.intake.deps))

  async function prepare(): Promise<void> {
    await two.nextAccount()
    bookReverts()
    await two.clearLibrary()
    for (const [at, relativePath] of FILES.entries())
      await two.site.intake.upload(bytes(30 + 10 * at, at), { relativePath })
  }

  async function transfer(kind: 'copy' | 'move', more: object): Promise<string> {
    const { job } = (await two.site.call(kind, { paths: ['/box'], conflict: 'replace', ...more })) as { job: JobView }
    expect(await two.site.runJobs()).toEqual([])
    return job.jobId
  }

  async function undo(jobId: string): Promise<void> {
    const { deps, intake } = two.site
    const recycle = { remove: (...[ctx, request]: [never, never]) => startRemove(deps, ctx, request) }
    await startUndo({ ...deps, recycle }, intake.ctx, jobId)
    expect(await two.site.runJobs()).toEqual([])
  }

  async function turnOf(kind: 'copy' | 'move', point?: number) {
    await prepare()
    const before = await state()
    const jobId = await transfer(kind, kind === 'move' ? { target: '/to' } : { target: '/', targetGroupId: GROUP })
    const made = await state()
    const { site } = two
    kill.arm(point)
    const isAsked = await undo(jobId).then(
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
    bookReverts()
    await site.deps.files.steps.recover()
    const failures = await site.runJobs()
    await site.deps.files.steps.recover()
    const now = await state()
    const versions = await site.deps.db.selectFrom('file_versions').selectAll().execute()
    const isDone = now === before && versions.length === 0
    const isUntouched = now === made && !isAsked
    const faults = [...failures, ...(await two.faults()), ...(isDone || isUntouched ? [] : [now])]
    return { calls, isDone, faults: faults.map((fault) => `${kind}, killed at call ${point}: ${fault}`) }
  }

  it.each([
    ['a move that merged folders', 'move'],
    ['a copy that filled a folder on another storage', 'copy'],
  ] as const)('ends the undo of %s whole, once, with nothing lost in between', async (_, kind) => {
    const { calls, isDone, faults } = await turnOf(kind)
    expect([isDone, faults]).toEqual([true, []])
    // All of them between two folders, and where they are few; elsewhere the storage or the database is another, and the code is
    // the same.
    const isEach = pair.name === 'two folders' || kind === 'copy'
    const points = pointsAroundChanges(calls).filter((_point, at) => isEach || at % 4 === 0)
    let ended = 0
    for (const point of points) {
      const turn = await turnOf(kind, point)
      faults.push(...turn.faults)
      if (turn.isDone) ended++
    }
    expect(faults).toEqual([])
    expect(ended).toBeGreaterThan(1)
  })
})
