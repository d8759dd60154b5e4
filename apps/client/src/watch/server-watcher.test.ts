import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock } from '@godwit/base'
import type { FileItem } from '@godwit/contract'
import { ApiError } from '@godwit/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Queue } from '../queue/queue.ts'
import { ServerWatcher } from './server-watcher.ts'

/** Longer than a folder rests between two looks. */
const LATER_MS = 60_000

describe('a watched folder of a server', () => {
  let folder = ''
  let root = ''
  let queue: Queue
  let faults: string[] = []
  /** What the server has, by path: size and time, or nothing for a folder. */
  let files: Map<string, readonly [number, number] | undefined>
  let isThere = true
  /** How long the server takes for a page. */
  let slowMs = 0
  const clock = fakeClock()

  const watcher = (restMs?: number): ServerWatcher => {
    const watch = { root, server: 'https://one', account: 'mei', spaceId: 1, groupId: 2, target: '/in' }
    const sync = restMs === undefined ? {} : { sync: { restMs } }
    return new ServerWatcher({
      ...{ queue, clock },
      preferences: () => Promise.resolve({ watches: [{ ...watch, direction: 'download', ...sync }] }),
      profiles: { read: () => Promise.resolve({ server: watch.server, account: watch.account, token: 'token' }) },
      connect: () => ({ list: (_, path, cursor) => Promise.resolve(pageOf(path, cursor)) }),
      report: (_, fault) => void faults.push(fault),
    })
  }
  /** Two entries a page, so that every look has to turn pages. */
  const pageOf = (path: string, cursor: string | null) => {
    clock.advance(slowMs)
    if (!isThere) throw new ApiError({ code: 5100, message: 'not found' })
    const all = [...files].filter(([at]) => at.startsWith(`${path}/`) && !at.slice(path.length + 1).includes('/'))
    const from = Number(cursor ?? 0)
    const items = all.slice(from, from + 2).map(([at, facts]): FileItem => {
      const [size, time] = facts ?? [0, 7]
      return {
        name: at.slice(path.length + 1),
        file_type: facts === undefined ? 'Folder' : 'File',
        size,
        time,
        path: at,
      }
    })
    return { items, next: from + 2 < all.length ? String(from + 2) : null }
  }
  const later = async (each: ServerWatcher): Promise<void> => {
    clock.advance(LATER_MS)
    await each.look()
  }
  const queued = (): ReadonlyArray<readonly string[]> => queue.list().map(({ paths }) => paths)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-server-watch-'))
    root = join(folder, 'dailies')
    mkdirSync(root)
    queue = new Queue(join(folder, 'home'), () => 0)
    faults = []
    isThere = true
    files = new Map<string, readonly [number, number] | undefined>([
      ['/in/film', undefined],
      ['/in/film/scene', undefined],
      ['/in/film/scene/one.mov', [3, 10]],
      ['/in/note', [4, 11]],
      ['/in/plan', [5, 12]],
    ])
  })
  afterEach(() => {
    queue[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })

  it('queues everything once, and then what changed, however deep, also after a restart', async () => {
    const first = watcher()
    await first.look()
    expect(queued()).toEqual([['/in/film', '/in/note', '/in/plan']])
    expect(queue.list()[0]).toMatchObject({
      direction: 'download',
      groupId: 2,
      target: root,
      account: 'mei',
      asks: true,
    })
    await later(first)
    await watcher().look()
    expect(queued()).toHaveLength(1)
    files.set('/in/film/scene/one.mov', [3, 20])
    files.delete('/in/note')
    await later(first)
    files.set('/in/film/scene/two.mov', [1, 20])
    await later(watcher())
    expect(queued().slice(0, 2)).toEqual([['/in/film'], ['/in/film']])
    expect(queued()).toHaveLength(3)
  })

  it('knows every state that the server had of a file, and no other', async () => {
    const each = watcher()
    const one = { path: 'film/scene/one.mov', size: 3, time: 10 }
    await each.look()
    files.set('/in/film/scene/one.mov', [4, 20])
    await later(each)
    const { watched } = queue
    expect([one, { ...one, size: 4, time: 20 }].map((file) => watched.hasServed(root, file))).toEqual([true, true])
    expect(watched.hasServed(root, { ...one, size: 4 })).toBe(false)
    expect(watched.hasServed(`${root} `, one)).toBe(false)
    const news = (): readonly boolean[] =>
      ['film/scene/one.mov', 'film', 'note'].map((path) => watched.hasNews(root, path))
    expect(news()).toEqual([true, false, true])
    watched.settle(root, ['film'])
    expect(news()).toEqual([false, false, true])
    files.set('/in/film/scene/one.mov', [5, 30])
    await later(each)
    expect(news()).toEqual([true, false, true])
    watched.forgetEntries(root, ['film'])
    await later(each)
    expect(queued()[0]).toEqual(['/in/film'])
    expect(watched.hasServed(root, one)).toBe(true)
    watched.forget(root)
    expect(watched.hasServed(root, one)).toBe(false)
  })

  it('waits as long as the site says that keeps it in sync', async () => {
    const each = watcher(2 * LATER_MS)
    await each.look()
    await later(each)
    files.set('/in/plan', [6, 13])
    await later(each)
    expect(queued()).toEqual([['/in/film', '/in/note']])
    await later(each)
    await later(each)
    expect(queued()[0]).toEqual(['/in/plan'])
  })

  it('says why it cannot look, and writes nothing where a drive is missing', async () => {
    const each = watcher()
    isThere = false
    slowMs = LATER_MS
    await each.look()
    slowMs = 0
    isThere = true
    rmSync(root, { recursive: true })
    await later(each)
    expect(queued()).toEqual([])
    mkdirSync(root)
    await each.look()
    expect(queued()).toEqual([])
    await later(each)
    expect(queued()).toHaveLength(1)
    expect(faults).toEqual(['PATH_NOT_FOUND', 'folder-missing', ''])
  })
})
