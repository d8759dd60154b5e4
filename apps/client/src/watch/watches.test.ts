import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPreferences } from '../profiles/preferences.ts'
import { Queue } from '../queue/queue.ts'
import { addWatch, WatchLoopError } from './watches.ts'

describe('the list of watched folders', () => {
  let home = ''
  let queue: Queue
  const watch = { root: '/pictures', server: 'https://one', account: 'mei', spaceId: 1, groupId: 0, target: '/in' }
  const add = (changes: Partial<typeof watch> & { readonly direction?: 'upload' | 'download' }) =>
    addWatch({ GODWIT_CLIENT_HOME: home }, queue, { ...watch, ...changes })
  const watched = async () => (await readPreferences({ GODWIT_CLIENT_HOME: home })).watches

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'godwit-watches-'))
    queue = new Queue(home, () => 0)
  })
  afterEach(() => {
    queue[Symbol.dispose]()
    rmSync(home, { recursive: true })
  })

  it('has folders of the server as the server writes them', async () => {
    for (const [typed, kept] of [
      ['/in/', '/in'],
      ['in', '/in'],
      ['/in//new/../old/.', '/in/old'],
      ['/', '/'],
    ] as const) {
      await add({ target: typed })
      expect(await watched()).toEqual([{ ...watch, target: kept }])
    }
  })

  it('knows nothing of a folder any more that is watched for something else', async () => {
    const file = { path: 'one/note', size: 4, time: 7 }
    const isKnown = (): boolean =>
      queue.watched.signatureOf(watch.root, 'one') === 'sent' && queue.watched.hasServed(watch.root, file)
    for (const change of [
      ...[{ target: '/two' }, { server: 'https://two' }, { account: 'ana' }, { spaceId: 2 }, { groupId: 3 }],
      { direction: 'download' },
    ] as const) {
      await add({})
      queue.watched.note(watch.root, [{ entry: 'one', signature: 'sent' }], [file])
      queue.watched.note('/other', [{ entry: 'one', signature: 'sent' }], [])
      await add({ target: '/in/', direction: 'upload' })
      expect(isKnown()).toBe(true)
      await add(change)
      expect([queue.watched.signatureOf(watch.root, 'one'), queue.watched.hasServed(watch.root, file)]).toEqual([
        '',
        false,
      ])
      expect(queue.watched.signatureOf('/other', 'one')).toBe('sent')
    }
  })

  it('has each folder of the computer once, and none that goes the other way inside another', async () => {
    await add({ direction: 'upload' })
    await add({ direction: 'download' })
    expect(await watched()).toEqual([{ ...watch, direction: 'download' }])
    await expect(add({ root: '/pictures/new', direction: 'upload' })).rejects.toThrow(WatchLoopError)
    await expect(add({ root: '/', direction: 'upload' })).rejects.toThrow(WatchLoopError)
    await add({ root: '/pictures/new', direction: 'upload', server: 'https://two' })
    await add({ root: '/pictures2', direction: 'upload' })
    expect((await watched()).map(({ root }) => root)).toEqual(['/pictures', '/pictures/new', '/pictures2'])
  })
})
