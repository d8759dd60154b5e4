import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { NewItem } from '../queue/queue.ts'
import type { Dialogs } from './dialogs.ts'
import type { Watch } from '../profiles/preferences.ts'
import { WatchLoopError } from '../watch/watches.ts'
import { ORDER_TEXTS } from './order-texts.ts'
import { createOrders, type OrderDeps } from './orders.ts'

const DOWNLOADS = realpathSync(tmpdir())
const WHO = { server: 'https://files.example.org', account: 'mei' }
const SYNC = {
  name: 'sync',
  direction: 'upload',
  spaceId: 1,
  groupId: 2,
  folder: '/in',
  path: '',
  restMs: 60_000,
} as const
const UPLOAD = { name: 'upload', spaceId: 1, groupId: 0, folder: '/in', paths: [], pick: 'files' } as const

function world(dialogs: Pick<Dialogs, 'choose'> | undefined, isFull = false) {
  const shown: string[] = []
  const added: NewItem[] = []
  const watched: Watch[] = []
  const deps: OrderDeps = {
    queue: { add: (item) => (isFull ? undefined : added.push(item)) },
    watch: async (watch) => void watched.push(watch),
    preferences: () =>
      Promise.resolve({
        downloads: DOWNLOADS,
        allowed: ['/'],
        watches: [],
        exclude: [],
        rateMbps: 0,
        rateUnit: 'bits',
        notifications: true,
        pausedUntil: 0,
      }),
    dialogs: dialogs && { choose: dialogs.choose, show: async (message) => void shown.push(message) },
    texts: ORDER_TEXTS['en-US'],
  }
  return { added, watched, shown, deps, orders: createOrders(deps) }
}

describe('a transfer that a page hands over', () => {
  it('is fetched into the download folder of this computer, whatever the page says', async () => {
    const { added, orders } = world(undefined)
    expect(await orders.take(WHO, { name: 'download', spaceId: 2, groupId: 3, paths: ['/a'] })).toBe('queued')
    expect(added).toEqual([
      { ...WHO, direction: 'download', asks: true, spaceId: 2, groupId: 3, paths: ['/a'], target: DOWNLOADS },
    ])
  })

  it('is chosen at the computer, in one dialog at a time that names server and folder', async () => {
    const asked: string[] = []
    const answer = Promise.withResolvers<readonly string[]>()
    const { added, orders } = world({
      choose(pick, title) {
        asked.push(`${pick} ${title}`)
        return answer.promise
      },
    })
    expect(await orders.take(WHO, { ...UPLOAD, pick: 'folder' })).toBe('asking')
    expect(await orders.take(WHO, UPLOAD)).toBe('asking')
    expect(asked).toEqual(['folder files.example.org: /in'])
    answer.resolve(['/home/mei/film'])
    await expect.poll(() => added).toMatchObject([{ direction: 'upload', paths: ['/home/mei/film'], target: '/in' }])
    expect(await orders.take(WHO, UPLOAD)).toBe('asking')
    expect(asked).toHaveLength(2)
  })

  it('is nothing when the person declines, and the next one is asked again', async () => {
    let asked = 0
    const { added, orders } = world({
      choose: () => (asked++ === 0 ? Promise.resolve([]) : Promise.reject(new Error('no display'))),
    })
    await orders.take(WHO, UPLOAD)
    await expect.poll(async () => (await orders.take(WHO, UPLOAD), asked)).toBeGreaterThan(1)
    expect(added).toEqual([])
  })

  it('is not begun where nobody can be asked, at a path that is not there, or with a full queue', async () => {
    expect(await world(undefined).orders.take(WHO, UPLOAD)).toBe('cannot-ask')
    const { added, orders } = world(undefined)
    expect(await orders.take(WHO, { ...UPLOAD, paths: ['/dev/null', '/absent-for-sure'] })).toBe('not-found')
    expect(added).toEqual([])
    expect(await world(undefined, true).orders.take(WHO, { ...UPLOAD, paths: ['/dev'] })).toBe('refused')
  })
})

describe('a folder that a page keeps in sync', () => {
  it('is chosen at the computer, or typed where somebody there allowed it, and watched from then on', async () => {
    const titles: string[] = []
    const { watched, orders } = world({
      choose(pick, title) {
        titles.push(`${pick} ${title}`)
        return Promise.resolve(['/usr'])
      },
    })
    expect(await orders.take(WHO, SYNC)).toBe('asking')
    const place = { root: '/usr', spaceId: 1, groupId: 2, target: '/in' }
    const wanted = { ...WHO, ...place, direction: 'upload', sync: { restMs: 60_000 } }
    await expect.poll(() => watched).toEqual([wanted])
    expect(titles).toEqual(['folder files.example.org: /in'])
    expect(await orders.take(WHO, { ...SYNC, path: '/usr' })).toBe('queued')
    expect(watched).toEqual([wanted, wanted])
  })

  it('follows one of the server where the downloads go, and only there', async () => {
    const { watched, deps, orders } = world(undefined)
    const down = { ...SYNC, direction: 'download' } as const
    expect(await orders.take(WHO, { ...down, path: '/usr' })).toBe('not-allowed')
    expect(await orders.take(WHO, { ...down, path: DOWNLOADS })).toBe('queued')
    expect(watched).toMatchObject([{ root: DOWNLOADS, direction: 'download', target: '/in' }])
    const looping = createOrders({ ...deps, watch: () => Promise.reject(new WatchLoopError('one lies in the other')) })
    expect(await looping.take(WHO, { ...down, path: DOWNLOADS })).toBe('loop')
  })

  it('goes the way down alone where the downloads go, whatever a server calls the direction', async () => {
    const { watched, deps } = world(undefined)
    const preferences = async () => ({ ...(await deps.preferences()), allowed: [] })
    const orders = createOrders({ ...deps, preferences })
    for (const direction of ['upload', 'twoWay', '', undefined])
      expect(await orders.take(WHO, { ...SYNC, direction: direction as 'upload', path: DOWNLOADS })).toBe('not-allowed')
    expect(watched).toEqual([])
  })

  it('says at the computer why what was chosen there is not done', async () => {
    const { shown, deps, orders } = world({ choose: () => Promise.resolve(['/absent-for-sure']) })
    expect(await orders.take(WHO, SYNC)).toBe('asking')
    await expect.poll(() => shown).toEqual([ORDER_TEXTS['en-US']['not-found']])
    const choose = (): Promise<readonly string[]> => Promise.resolve(['/usr'])
    const looping = createOrders({
      ...deps,
      dialogs: deps.dialogs && { ...deps.dialogs, choose },
      watch: () => Promise.reject(new WatchLoopError('one lies in the other')),
    })
    expect(await looping.take(WHO, SYNC)).toBe('asking')
    await expect.poll(() => shown[1]).toBe(ORDER_TEXTS['en-US'].loop)
    const full = world({ choose }, true)
    expect(await full.orders.take(WHO, UPLOAD)).toBe('asking')
    await expect.poll(() => full.shown).toEqual([ORDER_TEXTS['en-US'].refused])
  })

  it('is none where nobody can be asked, and a file is no folder', async () => {
    const { watched, orders } = world(undefined)
    expect(await orders.take(WHO, SYNC)).toBe('cannot-ask')
    expect(await orders.take(WHO, { ...SYNC, path: '/dev/null' })).toBe('not-found')
    expect(await orders.take(WHO, { ...SYNC, path: '/absent-for-sure' })).toBe('not-found')
    expect(watched).toEqual([])
  })
})
