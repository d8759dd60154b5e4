import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeItem } from '../commands/queue.command.ts'
import type { FoundConflict } from '../transfers/conflicts.ts'
import { type NewItem, Queue } from './queue.ts'

const ITEM: NewItem = {
  ...{ server: 'https://one', account: 'mei', direction: 'upload', spaceId: 1, groupId: 0 },
  ...{ paths: ['/home/mei/a b\n"c'], target: '/', asks: false },
}

describe('the queue of a computer', () => {
  let folder = ''
  let queue: Queue
  const open = (): Queue => new Queue(join(folder, 'home'), () => 5_000)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-queue-'))
    queue = open()
  })
  afterEach(() => {
    queue[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })

  const add = (item: Partial<NewItem> = {}): number => queue.add({ ...ITEM, ...item }) ?? 0

  it('keeps what it was given, in a folder of its owner, and shows it to another program at once', () => {
    const id = add()
    using other = open()
    expect(other.get(id)).toMatchObject({ ...ITEM, id, state: 'waiting', priority: 'normal', createdAt: 5_000 })
    other.change(id, { priority: 'high', error: 'away' })
    expect(queue.get(id)).toMatchObject({ priority: 'high', error: 'away' })
    expect(statSync(join(folder, 'home')).mode & 0o777).toBe(0o700)
  })

  it('takes the turns by priority, then by age', () => {
    const [low, first, second, high] = [add(), add(), add(), add()]
    queue.change(low, { priority: 'low' })
    queue.change(high, { priority: 'high' })
    expect(queue.waiting().map(({ id }) => id)).toEqual([high, first, second, low])
  })

  it('lists what runs or asks, then what somebody has to see to, then the newest, and counts all of them', () => {
    const [runs, failed, paused, done, waits, partial, last] = [add(), add(), add(), add(), add(), add(), add()]
    queue.begin(runs)
    queue.pause(paused)
    for (const [id, state] of [
      [failed, 'failed'],
      [done, 'done'],
      [partial, 'partial'],
    ] as const)
      queue.change(id, { state })
    expect(queue.list().map(({ id }) => id)).toEqual([runs, partial, paused, failed, last, waits, done])
    expect(queue.list(2).map(({ id }) => id)).toEqual([runs, partial])
    expect(queue.counts()).toEqual({ running: 1, failed: 1, paused: 1, partial: 1, waiting: 2, done: 1 })
  })

  it('lets what ran go on after a sudden end, and leaves what is over as it is', () => {
    const [runs, over] = [add(), add()]
    expect(queue.begin(runs)).toBe(true)
    expect(queue.begin(runs)).toBe(false)
    queue.change(runs, { transferId: 't1' })
    queue.change(over, { state: 'done', finishedAt: 1 })
    using next = open()
    next.recover()
    expect(next.waiting()).toMatchObject([{ id: runs, transferId: 't1' }])
    expect(next.get(over)?.state).toBe('done')
  })

  it('shows what an older version kept as a server sent it, however little of it there is', () => {
    const kept = ['abc', null, {}, [1, '/a', null]].map((paths) =>
      add({ direction: 'download', paths: paths as unknown as readonly string[] }),
    )
    const far = [add({ spaceId: 2 ** 60 }), add({ groupId: -(2 ** 62) })]
    using next = open()
    expect(next.list()).toHaveLength(kept.length + far.length)
    expect(kept.map((id) => next.get(id)?.paths)).toEqual([[], [], [], ['/a']])
    expect(far.map((id) => next.get(id))).toMatchObject([{ spaceId: 0 }, { spaceId: 0, groupId: 0 }])
    expect(next.waiting()).toHaveLength(kept.length + far.length)
    for (const item of next.list()) expect(describeItem(item)).toContain(' -> /')
  })

  it('repeats what failed and nothing else, with the same transfer', () => {
    const id = add()
    expect(queue.retry(id)).toBe(false)
    queue.change(id, { state: 'partial', transferId: 't1', failures: [{ path: 'a', code: 'DISK_FULL' }] })
    expect(queue.get(id)?.failures).toEqual([{ path: 'a', code: 'DISK_FULL' }])
    expect(queue.retry(id)).toBe(true)
    expect(queue.get(id)).toMatchObject({ state: 'waiting', transferId: 't1', failures: [] })
    // That transfer is over for good.
    queue.change(id, { state: 'cancelled' })
    expect(queue.retry(id)).toBe(true)
    expect(queue.get(id)?.transferId).toBe('')
    queue.change(id, { state: 'done' })
    expect(queue.retry(id)).toBe(false)
  })

  it('holds what waits or runs until it is let go on, and takes off what is held', () => {
    const [waits, runs, over] = [add(), add(), add()]
    queue.begin(runs)
    queue.change(over, { state: 'done' })
    expect([waits, runs, over].map((id) => queue.pause(id))).toEqual([true, true, false])
    expect(queue.waiting()).toEqual([])
    expect(queue.forget(waits)).toBe(false)
    queue.recover()
    expect([waits, over].map((id) => queue.resume(id))).toEqual([true, false])
    queue.cancelWaiting(runs)
    expect([waits, runs, over].map((id) => queue.get(id)?.state)).toEqual(['waiting', 'cancelled', 'done'])
  })

  it('forgets what is over, takes off what waits, and touches nothing that runs', () => {
    const [runs, waits] = [add(), add()]
    queue.begin(runs)
    queue.change(runs, { transferId: 't1' })
    for (const id of [runs, waits]) expect(queue.forget(id)).toBe(false)
    expect([runs, waits].map((id) => queue.cancelWaiting(id))).toEqual([false, true])
    expect(queue.get(runs)?.state).toBe('running')
    expect(queue.get(waits)).toMatchObject({ state: 'cancelled', finishedAt: 5_000 })
    expect(queue.forget(waits)).toBe(true)
    expect(queue.get(waits)).toBeUndefined()
  })
  const found = (path: string): FoundConflict => {
    const side = { size: 1, mtimeMs: 2_000 }
    return { path, existing: side, incoming: side, renamed: `${path} (1)` }
  }
  const asking = (...paths: readonly string[]): number => {
    const id = add({ asks: true })
    queue.begin(id)
    queue.change(id, { transferId: 't1' })
    queue.ask(id, paths.map(found), [])
    return id
  }

  it('asks about 200 files that exist already, and goes on after three answers', () => {
    const paths = ['a', 'b', 'c'].flatMap((folder) =>
      Array.from({ length: folder === 'c' ? 80 : 60 }, (_value, at) => `${folder}/${at}`),
    )
    const id = asking(...paths)
    expect(queue.get(id)).toMatchObject({ state: 'asking', transferId: '' })
    expect(queue.conflicts.undecided(id)).toMatchObject({ count: 200, folders: [{ count: 60 }, { count: 60 }, {}] })
    expect(queue.decide(id, 'replace', { folder: 'a' })).toBe(true)
    expect(queue.decide(id, 'skip', { folder: 'a' })).toBe(false)
    expect(queue.decide(id, 'skip', { folder: 'b' })).toBe(true)
    expect(queue.waiting()).toEqual([])
    expect(queue.decide(id, 'keep-both', {})).toBe(true)
    expect(queue.waiting()).toMatchObject([{ id, state: 'waiting' }])
    const decisions = queue.conflicts.decisions(id)
    expect(Object.values(Object.groupBy(decisions.values(), ({ choice }) => choice)).map((all) => all.length)).toEqual([
      60, 60, 80,
    ])
    expect(decisions.get('c/7')).toEqual({ choice: 'keep-both', renamed: 'c/7 (1)' })
    expect(queue.decide(id, 'skip', {})).toBe(false)
  })

  it('shows a part of very many, and holds an answer for all of them', () => {
    const id = asking(...Array.from({ length: 5_000 }, (_value, at) => `${at % 150}/${at}`))
    const { count, folders } = queue.conflicts.undecided(id)
    expect([count, folders.length, folders.flatMap(({ files }) => files).length]).toEqual([5_000, 100, 200])
    expect(queue.decide(id, 'replace', {})).toBe(true)
    expect(queue.conflicts.decisions(id).size).toBe(5_000)
  })

  it('is done when all that is left is skipped, and goes on when something failed', () => {
    const id = asking('a', 'b')
    expect(queue.decide(id, 'skip', { path: 'a' })).toBe(true)
    expect(queue.conflicts.undecided(id).count).toBe(1)
    expect(queue.decide(id, 'skip', { path: 'b' })).toBe(true)
    expect(queue.get(id)).toMatchObject({ state: 'done', finishedAt: 5_000 })
    const other = asking('a')
    queue.change(other, { failures: [{ path: 'c', code: 'DISK_FULL' }] })
    queue.decide(other, 'skip', {})
    expect(queue.get(other)?.state).toBe('waiting')
  })

  it('replaces nothing twice, and asks again about what is found again', () => {
    const id = asking('a', 'b', 'c')
    queue.decide(id, 'keep-both', { path: 'c' })
    queue.decide(id, 'replace', {})
    queue.begin(id)
    queue.replaced(id, ['b', 'c'])
    const choices = [...queue.conflicts.decisions(id)].map(([path, { choice }]) => [path, choice])
    expect(Object.fromEntries(choices)).toEqual({ a: 'done', b: 'replace', c: 'keep-both' })
    queue.ask(id, [found('c')], [])
    expect(queue.conflicts.undecided(id)).toMatchObject({ count: 1, folders: [{ files: [{ path: 'c' }] }] })
  })

  it('does not ask for what is held meanwhile, and forgets the question with the transfer', () => {
    const id = add({ asks: true })
    queue.begin(id)
    queue.pause(id)
    queue.ask(id, [found('a')], [])
    expect(queue.get(id)?.state).toBe('paused')
    expect(queue.decide(id, 'skip', {})).toBe(false)
    const asked = asking('a')
    expect(queue.forget(asked)).toBe(false)
    queue.cancelWaiting(asked)
    expect(queue.forget(asked)).toBe(true)
    expect(queue.conflicts.undecided(asked).count).toBe(0)
  })

  it('takes over the file of a version that asked nobody', () => {
    const old = new DatabaseSync(join(folder, 'home/queue.db'))
    old.exec('ALTER TABLE items DROP COLUMN asks; DROP TABLE conflicts')
    old.close()
    using next = open()
    expect(next.get(next.add({ ...ITEM, asks: true }) ?? 0)?.asks).toBe(true)
  })
})
