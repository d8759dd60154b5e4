import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as tick } from 'node:timers/promises'
import { type FakeClock, fakeClock } from '@godwit/base'
import { ApiError } from '@godwit/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../server-link/api.ts'
import { LiveItems } from './live-items.ts'
import { Queue, type QueueItem } from './queue.ts'
import { AGAIN_MS, Rests } from './rests.ts'
import { type ItemParts, type QueuedResult, runQueue } from './runner.ts'

const OFFICE = 'https://office'
const HOME = 'https://home'
const DONE: QueuedResult = {
  ...{ files: 1, bytes: 1, keptBytes: 0, failures: [] },
  verdicts: { new: 1, replaced: 0, same: 0, newer: 0, existing: 0 },
}
const NO_ROUTE = new ApiError(
  { message: 'no answer', code: 0 },
  { cause: Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' }) },
)

describe('the background works off the queue', () => {
  let folder = ''
  let queue: Queue
  let clock: FakeClock
  let live: LiveItems
  let rests: Rests
  let stop = new AbortController()
  let running = Promise.resolve()
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-runner-'))
    clock = fakeClock()
    queue = new Queue(folder, () => clock.now())
    live = new LiveItems(() => undefined)
    rests = new Rests(clock)
    stop = new AbortController()
  })
  afterEach(async () => {
    stop.abort()
    await running
    queue[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })

  const add = (server: string): number => {
    const what = { paths: ['/a'], target: '/', spaceId: 1, groupId: 0, asks: false }
    return queue.add({ server, account: 'mei', direction: 'upload', ...what }) ?? 0
  }
  const stateOf = (id: number): string => queue.get(id)?.state ?? ''
  interface Given {
    readonly transfer: (item: QueueItem, parts: ItemParts) => Promise<QueuedResult>
    readonly isSignedIn?: () => boolean
    readonly api?: Partial<Api>
  }
  const run = ({ transfer, isSignedIn = () => true, api = {} }: Given): void => {
    running = runQueue({
      ...{ queue, live, rests, clock, transfer, signal: stop.signal, isPaused: () => false, report: () => undefined },
      profiles: { read: async (who) => (isSignedIn() ? ({ ...who, token: 't' } as never) : undefined) },
      connect: () => ({ transfers: async () => [], ...api }) as Api,
    })
  }
  /** The queue is looked at now, and what that starts comes as far as it can. */
  const look = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) {
      live.wake()
      await tick()
    }
  }

  it('gives another account its turn while four transfers wait for a server that is away', async () => {
    const away = [add(OFFICE), add(OFFICE), add(OFFICE), add(OFFICE)]
    const home = add(HOME)
    run({
      async transfer({ server }) {
        await tick()
        if (server === HOME) return DONE
        // A connection that nobody answers takes longer than what failed rests.
        clock.advance(AGAIN_MS + 1_000)
        throw NO_ROUTE
      },
    })
    await look()
    expect(stateOf(home)).toBe('done')
    expect(away.map(stateOf)).toEqual(away.map(() => 'waiting'))
  })

  it('leaves all transfers of an account alone while it rests, and asks again when its server is back', async () => {
    const tried: number[] = []
    const all = [add(OFFICE), add(OFFICE), add(OFFICE)]
    let isAway = true
    run({
      async transfer({ id }, { maxIdleTries }) {
        tried.push(id)
        // It gives its turn back soon.
        expect(maxIdleTries).toBe(2)
        if (isAway) throw NO_ROUTE
        return DONE
      },
    })
    await look()
    expect(tried).toEqual(all.slice(0, 2))
    expect(all.map((id) => queue.get(id)?.error)).toEqual(['EHOSTUNREACH', 'EHOSTUNREACH', ''])
    clock.advance(AGAIN_MS - 1)
    await look()
    expect(tried.length).toBe(2)
    isAway = false
    rests.forget({ server: OFFICE, account: 'mei' })
    await look()
    expect(all.map(stateOf)).toEqual(['done', 'done', 'done'])
  })

  it('asks once for an account that is signed out, however many of its transfers wait', async () => {
    const all = Array.from({ length: 50 }, () => add(OFFICE))
    const home = add(HOME)
    let asked = 0
    let isSignedIn = false
    run({
      transfer: async () => DONE,
      isSignedIn() {
        asked += 1
        return isSignedIn
      },
    })
    await look()
    // Two have their turns at once; those of the other account come next.
    expect(asked).toBeLessThanOrEqual(4)
    expect(stateOf(all[0] ?? 0)).toBe('waiting')
    expect(queue.get(all[0] ?? 0)?.error).toBe('signed-out')
    isSignedIn = true
    clock.advance(AGAIN_MS)
    await expect
      .poll(async () => {
        await look()
        return [...all, home].every((id) => stateOf(id) === 'done')
      })
      .toBe(true)
  })
})
