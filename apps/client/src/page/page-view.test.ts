import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock } from '@godwit/base'
import { expect, it, onTestFinished } from 'vitest'
import { readPreferences } from '../profiles/preferences.ts'
import { LiveItems } from '../queue/live-items.ts'
import { Queue } from '../queue/queue.ts'
import { localView } from './page-view.ts'

const WHO = { server: 'https://one', account: 'mei' }
/** As many as a page shows. */
const SHOWN = 500

it('shows what runs and what failed before everything else, however much is newer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-view-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const clock = fakeClock()
  using queue = new Queue(folder, () => clock.now())
  const add = (): number =>
    queue.add({
      ...{ ...WHO, direction: 'upload', paths: ['/a'], target: '/', spaceId: 1, groupId: 0, asks: false },
    }) ?? 0
  const [runs, failed] = [add(), add()]
  queue.begin(runs)
  queue.change(failed, { state: 'failed', error: 'DISK_FULL' })
  for (let more = 0; more < SHOWN; more++) add()
  const view = (): ReturnType<typeof localView> =>
    localView({
      ...{ queue, clock, live: new LiveItems(() => undefined), profiles: { list: async () => [WHO] } },
      preferences: () => readPreferences({ GODWIT_CLIENT_HOME: folder }),
      linkOf: () => ({ isConnected: true, reason: '', refusal: 0 }),
      ...{ faultOf: () => '', isLocked: () => false, canNotify: false, signIn: { view: null } },
      autostart: { isOn: async () => false },
    })
  const { items, overall } = await view()
  expect(items.length).toBe(SHOWN)
  expect(items.slice(0, 3).map(({ id }) => id)).toEqual([runs, failed, SHOWN + 2])
  expect(overall).toBe('error')
  queue.forget(failed)
  expect((await view()).overall).toBe('active')
})
