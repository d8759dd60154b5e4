import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as tick } from 'node:timers/promises'
import { type FakeClock, fakeClock } from '@godwit/base'
import { ApiError } from '@godwit/sdk'
import { TransferError, type TransferProgress } from '@godwit/transfer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Api } from '../server-link/api.ts'
import { cancelItem } from './cancel-item.ts'
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

const WRITES = ['change', 'begin', 'release', 'ask', 'recover'] as const
const PROGRESS: TransferProgress = {
  ...{ files: 1, bytes: 9, bytesDone: 5, bytesMoved: 5, bytesPerSecond: 1, path: { mode: 'tcp', text: 'tcp' } },
} as TransferProgress

describe('the background works off the queue', () => {
  let folder = ''
  let queue: Queue
  let clock: FakeClock
  let live: LiveItems
  let rests: Rests
  let stop = new AbortController()
  let running = Promise.resolve()
  beforeEach(() => {
    faults.length = 0
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
  const faults: unknown[] = []
  const run = ({ transfer, isSignedIn = () => true, api = {} }: Given): void => {
    running = runQueue({
      ...{ queue, live, rests, clock, transfer, signal: stop.signal, isPaused: () => false, report: () => undefined },
      failed: (error) => faults.push(error),
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
    const all = Array.from({ length: 12 }, () => add(OFFICE))
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
    while (![...all, home].every((id) => stateOf(id) === 'done')) await look()
  })

  /** The disk takes nothing from now on. @returns ends that */
  const fillDisk = (): (() => void) => {
    const full = (): never => {
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
    }
    const spies = WRITES.map((write) => vi.spyOn(queue, write).mockImplementation(full))
    return () => spies.forEach((spy) => spy.mockRestore())
  }

  it('lives on when a download fills the disk that the queue is on, and tries it again', async () => {
    const id = add(HOME)
    let makeRoom = (): void => undefined
    let attempts = 0
    run({
      async transfer(_item, parts) {
        if (attempts++ > 0) return DONE
        makeRoom = fillDisk()
        const attempt = { movedBytes: 0 }
        // What is only shown does not stop the transfer.
        parts.eventsOf(attempt).progress?.({ ...PROGRESS, bytesMoved: 5 })
        parts.onRetry('lost')
        expect(attempt.movedBytes).toBe(5)
        throw new TransferError('DISK_FULL')
      },
    })
    await look()
    expect(stateOf(id)).toBe('running')
    // Of the transfer, and once of the looks that follow.
    const fault = { message: 'database or disk is full' }
    expect(faults).toMatchObject([fault, fault])
    makeRoom()
    clock.advance(AGAIN_MS)
    await look()
    expect(stateOf(id)).toBe('done')
    expect(attempts).toBe(2)
  })

  it('reports once that it cannot look, from the start on, and goes on when it can', async () => {
    const id = add(HOME)
    const makeRoom = fillDisk()
    run({ transfer: async () => DONE })
    await look()
    expect(faults.length).toBe(1)
    makeRoom()
    await look()
    expect(stateOf(id)).toBe('done')
  })

  /** As a transfer that runs until it is stopped. */
  const untilStopped = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new TransferError('CANCELLED')))
    })

  it('stops what another program has paused, and begins it again when that lets it go on', async () => {
    const id = add(HOME)
    using terminal = new Queue(folder, () => clock.now())
    let begun = 0
    run({
      transfer(_item, { signal }) {
        begun += 1
        return untilStopped(signal)
      },
    })
    await look()
    expect([stateOf(id), live.ids]).toEqual(['running', [id]])
    expect(terminal.pause(id)).toBe(true)
    await look()
    expect([stateOf(id), live.ids]).toEqual(['paused', []])
    // Also where both happen between two looks.
    terminal.resume(id)
    await look()
    terminal.pause(id)
    terminal.resume(id)
    await look()
    expect([stateOf(id), live.ids, begun]).toEqual(['running', [id], 3])
  })

  it('leaves what was paused meanwhile as it is when it fails', async () => {
    const id = add(HOME)
    const { promise, reject } = Promise.withResolvers<never>()
    run({ transfer: () => promise })
    await look()
    queue.pause(id)
    reject(NO_ROUTE)
    await look()
    expect(queue.get(id)).toMatchObject({ state: 'paused', error: '' })
  })

  it('says why a transfer has no connection until bytes move again, and nothing of it once it is done', async () => {
    const id = add(HOME)
    const { promise, resolve } = Promise.withResolvers<QueuedResult>()
    let parts: ItemParts | undefined
    run({
      transfer(_item, given) {
        parts = given
        return promise
      },
    })
    await look()
    const progress = parts?.eventsOf({ movedBytes: 0 }).progress
    const errors: Array<string | undefined> = []
    for (const bytesMoved of [1, 0, 2]) {
      if (bytesMoved === 0) parts?.onRetry('ECONNRESET')
      progress?.({ ...PROGRESS, bytesMoved })
      errors.push(queue.get(id)?.error)
    }
    expect(errors).toEqual(['', 'ECONNRESET', ''])
    parts?.onRetry('ECONNRESET')
    resolve(DONE)
    await look()
    expect(queue.get(id)).toMatchObject({ state: 'done', error: '' })
  })

  describe('and a cancel', () => {
    const profiles = { read: async () => ({}) as never }
    const cancel = (id: number, api: Partial<Api> = {}): Promise<boolean> => {
      const item = queue.get(id)
      if (item === undefined) throw new Error('no such item')
      return cancelItem({ queue, live, profiles, connect: () => api as Api }, item)
    }

    it('ends what has no transfer at its server yet, which may be away', async () => {
      const id = add(OFFICE)
      run({ transfer: (_item, { signal }) => untilStopped(signal) })
      await look()
      expect(stateOf(id)).toBe('running')
      expect(await cancel(id)).toBe(true)
      await look()
      expect([stateOf(id), live.ids]).toEqual(['cancelled', []])
      clock.advance(AGAIN_MS)
      await look()
      expect(stateOf(id)).toBe('cancelled')
    })

    it('ends it at its server too when that has answered meanwhile', async () => {
      const id = add(OFFICE)
      const ended: string[] = []
      const control: Api['control'] = async (transferId, action) => {
        ended.push(`${action} ${transferId}`)
        return {} as never
      }
      run({
        api: { control },
        async transfer(_item, { signal, kept }) {
          await untilStopped(signal).catch(() => undefined)
          await kept.keepTransfer('', 't9')
          throw new TransferError('CANCELLED')
        },
      })
      await look()
      await cancel(id)
      await look()
      expect(queue.get(id)).toMatchObject({ state: 'cancelled', transferId: 't9' })
      expect(ended).toEqual(['cancel t9'])
    })

    it('is left to the server for a transfer that has begun there, also a moment ago', async () => {
      const id = add(OFFICE)
      const ended: string[] = []
      const control: Api['control'] = async (transferId) => {
        ended.push(transferId)
        return {} as never
      }
      run({ transfer: (_item, { signal }) => untilStopped(signal) })
      await look()
      const asItWas = queue.get(id)
      queue.change(id, { transferId: 't1' })
      if (asItWas === undefined) throw new Error('no such item')
      await cancelItem({ queue, live, profiles, connect: () => ({ control }) }, asItWas)
      await look()
      expect([stateOf(id), ended]).toEqual(['running', ['t1']])
    })
  })
})
