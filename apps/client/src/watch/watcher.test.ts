import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Queue } from '../queue/queue.ts'
import { REST_MS, Watcher } from './watcher.ts'

describe('a watched folder', () => {
  let folder = ''
  let root = ''
  let queue: Queue
  let faults: string[] = []
  const clock = fakeClock()
  const watches = () => [{ root, server: 'https://one', account: 'mei', spaceId: 1, groupId: 2, target: '/in' }]
  const report = (_watch: unknown, fault: string): void => void faults.push(fault)
  const watcher = (): Watcher =>
    new Watcher({ queue, clock, report, preferences: () => Promise.resolve({ watches: watches() }) })
  const rest = async (each: Watcher): Promise<void> => {
    await each.look()
    clock.advance(REST_MS)
    await each.look()
  }
  const queued = (): readonly string[] => queue.list().map(({ paths }) => paths[0] ?? '')

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-watch-'))
    root = join(folder, 'in')
    mkdirSync(join(root, 'film/scene'), { recursive: true })
    queue = new Queue(join(folder, 'home'), () => 0)
    faults = []
  })
  afterEach(() => {
    queue[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })

  it('queues what is new once it rests, and each state of it once, also after a restart', async () => {
    const first = watcher()
    writeFileSync(join(root, 'film/scene/one.mov'), 'one')
    await first.look()
    clock.advance(REST_MS / 2)
    writeFileSync(join(root, 'film/scene/two.mov'), 'two')
    await first.look()
    clock.advance(REST_MS / 2)
    await first.look()
    expect(queued()).toEqual([])
    await rest(first)
    expect(queued()).toEqual([join(root, 'film')])
    expect(queue.list()[0]).toMatchObject({ direction: 'upload', groupId: 2, target: '/in', account: 'mei' })
    await rest(first)
    await rest(watcher())
    expect(queued()).toHaveLength(1)
  })

  it('queues again what changed deep inside, and nothing else', async () => {
    writeFileSync(join(root, 'note'), 'note')
    const each = watcher()
    await rest(each)
    expect(queued().toSorted()).toEqual([join(root, 'film'), join(root, 'note')])
    writeFileSync(join(root, 'film/scene/late.mov'), 'late')
    await rest(each)
    expect(queued()[0]).toBe(join(root, 'film'))
    expect(queued()).toHaveLength(3)
  })

  it('waits as long as the site says that keeps it in sync', async () => {
    writeFileSync(join(root, 'note'), 'note')
    const synced = watches().map((watch) => ({ ...watch, sync: { restMs: 6 * REST_MS } }))
    const each = new Watcher({ queue, clock, report, preferences: () => Promise.resolve({ watches: synced }) })
    await rest(each)
    expect(queued()).toEqual([])
    clock.advance(5 * REST_MS)
    await each.look()
    expect(queued()).toContain(join(root, 'note'))
  })

  it('sends nothing of a folder in another direction, whatever it is called', async () => {
    for (const direction of ['download', 'twoWay']) {
      const others = watches().map((watch) => ({ ...watch, direction: direction as 'download' }))
      await rest(new Watcher({ queue, clock, report, preferences: () => Promise.resolve({ watches: others }) }))
    }
    expect(queued()).toEqual([])
  })

  it('queues a folder with something that cannot be read, and again once that can be', async () => {
    // Latin-1: its name, as it is read, leads to no file.
    const unread = Buffer.concat([Buffer.from(join(root, 'film/caf')), Buffer.from([0xe9])])
    writeFileSync(unread, 'menu')
    writeFileSync(join(root, 'film/one.mov'), 'one')
    const each = watcher()
    await rest(each)
    await rest(each)
    expect(queued()).toEqual([join(root, 'film')])
    renameSync(unread, join(root, 'film/café'))
    await rest(each)
    expect(queued()).toEqual([join(root, 'film'), join(root, 'film')])
  })

  it('sends everything to a new target, though it was changed while the folder was looked through', async () => {
    let target = '/in'
    const preferences = () => Promise.resolve({ watches: watches().map((watch) => ({ ...watch, target })) })
    const each = new Watcher({ queue, clock, report, preferences })
    await rest(each)
    target = '/two'
    await rest(each)
    await rest(each)
    expect(queue.list().map((item) => item.target)).toEqual(['/two', '/in'])
  })

  it('follows no link, and says that it waits for a folder that is not there', async () => {
    rmSync(join(root, 'film'), { recursive: true })
    symlinkSync('/etc/passwd', join(root, 'link'))
    const each = watcher()
    await rest(each)
    rmSync(root, { recursive: true })
    await rest(each)
    expect(queued()).toEqual([])
    mkdirSync(root)
    writeFileSync(join(root, 'new'), '')
    await rest(each)
    expect(queued()).toEqual([join(root, 'new')])
    expect(faults).toEqual(['', '', 'folder-missing', 'folder-missing', '', ''])
  })
})
