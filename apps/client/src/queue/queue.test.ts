import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type NewItem, Queue } from './queue.ts'

const ITEM: NewItem = {
  ...{ server: 'https://one', account: 'mei', direction: 'upload', spaceId: 1, groupId: 0 },
  ...{ paths: ['/home/mei/a b\n"c'], target: '/' },
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
    for (const id of [runs, waits]) expect(queue.forget(id)).toBe(false)
    for (const id of [runs, waits]) queue.cancelWaiting(id)
    expect(queue.get(runs)?.state).toBe('running')
    expect(queue.get(waits)).toMatchObject({ state: 'cancelled', finishedAt: 5_000 })
    expect(queue.forget(waits)).toBe(true)
    expect(queue.get(waits)).toBeUndefined()
  })
})
