import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BACKENDS, type Nodes } from '../../testing/shared-states.ts'
import type { SharedState } from '../shared-state.ts'
import { LockBusy } from './index.ts'

const LEASE_MS = 300
/** No stall of a busy engine is as long. */
const KEPT_LEASE_MS = 1_500

for (const { name, isShared, open } of BACKENDS) {
  describe(`locks in ${name}`, () => {
    let nodes: Nodes
    let here: SharedState
    let there: SharedState

    beforeEach(async () => {
      nodes = await open()
      here = await nodes.add(KEPT_LEASE_MS)
      there = isShared ? await nodes.add(KEPT_LEASE_MS) : here
    })
    afterEach(async () => nodes[Symbol.asyncDispose]())

    it('let one at a time through, whichever node it is on', async () => {
      let inside = 0
      let most = 0
      let runs = 0
      const tokens: number[] = []
      const work = ({ token }: { readonly token: number }) => {
        tokens.push(token)
        most = Math.max(most, ++inside)
        return pause(1).then(() => {
          inside--
          runs++
        })
      }
      await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? here : there).locks.run('folder', work)))
      expect([most, runs]).toEqual([1, 40])
      expect(tokens).toEqual(tokens.toSorted((a, b) => a - b))
      expect(new Set(tokens).size).toBe(40)
    })

    it('keep what is longer than a lease, and pass on what the work returns and throws', async () => {
      const [began, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const long = here.locks.run('folder', async ({ signal }) => {
        began.resolve()
        await end.promise
        return signal.aborted
      })
      await began.promise
      const waits = there.locks.run('folder', () => Promise.resolve(), { waitMs: 1.5 * KEPT_LEASE_MS })
      await expect(waits).rejects.toThrow(LockBusy)
      expect(await there.locks.tryRun('folder', () => Promise.resolve())).toBe(false)
      end.resolve()
      expect(await long).toBe(false)
      await expect(there.locks.run('folder', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect(await here.locks.tryRun('folder', () => Promise.resolve())).toBe(true)
    })

    it('are left by who does not want to wait any more, and by nobody else', async () => {
      const began = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const held = here.locks.run('folder', () => {
        began.resolve()
        return end.promise
      })
      await began.promise
      const impatient = new AbortController()
      const waits = there.locks.run('folder', () => Promise.resolve('never'), { signal: impatient.signal })
      impatient.abort(new Error('gone'))
      await expect(waits).rejects.toThrow('gone')
      const patient = there.locks.run('folder', () => Promise.resolve('served'))
      end.resolve()
      await held
      expect(await patient).toBe('served')
    })

    it('claim names in a scope until they are released', async () => {
      const claim = await here.locks.claim('folder', 'report.pdf', 'Report.pdf')
      expect(await there.locks.claim('folder', 'report.pdf', 'REPORT.pdf')).toBeUndefined()
      const other = await there.locks.claim('elsewhere', 'report.pdf', 'report.pdf')
      await pause(1.5 * KEPT_LEASE_MS)
      expect([...(await there.locks.claims('folder'))]).toEqual([['report.pdf', 'Report.pdf']])
      await claim?.release()
      expect([...(await there.locks.claims('folder'))]).toEqual([])
      const again = await there.locks.claim('folder', 'report.pdf', 'REPORT.pdf')
      expect([...(await here.locks.claims('folder'))]).toEqual([['report.pdf', 'REPORT.pdf']])
      await Promise.all([again?.release(), other?.release()])
    })

    it('say whether another node held them meanwhile', async () => {
      const seen: boolean[] = []
      const run = (node: SharedState) =>
        node.locks.run('folder', async ({ isContinued }) => void seen.push(isContinued))
      for (const node of [here, here, there, there, here]) await run(node)
      expect(seen).toEqual(isShared ? [false, true, false, true, false] : [true, true, true, true, true])
    })
  })
}

for (const { name, open } of BACKENDS.filter(({ isShared }) => isShared)) {
  describe(`locks of a node that hangs, in ${name}`, () => {
    let nodes: Nodes
    let here: SharedState
    let there: SharedState

    beforeEach(async () => {
      nodes = await open()
      here = await nodes.add(LEASE_MS)
      there = await nodes.add(LEASE_MS)
    })
    afterEach(async () => nodes[Symbol.asyncDispose]())

    it('are free after its lease, with the names it claimed', async () => {
      const began = Promise.withResolvers<AbortSignal>()
      const end = Promise.withResolvers<void>()
      const first: number[] = []
      const held = here.locks.run('folder', async ({ signal, token }) => {
        first.push(token)
        began.resolve(signal)
        await end.promise
      })
      await here.locks.claim('folder', 'report.pdf', 'Report.pdf')
      const signal = await began.promise
      // No renewals any more, as when the process hangs or died.
      here.locks.stop()
      const second = await there.locks.run('folder', ({ token }) => Promise.resolve(token))
      expect(second).toBeGreaterThan(first[0] ?? Infinity)
      await expect.poll(async () => [...(await there.locks.claims('folder'))], { timeout: 5_000 }).toEqual([])
      expect(signal.aborted).toBe(false)
      end.resolve()
      await held
      expect(await there.locks.tryRun('folder', () => Promise.resolve())).toBe(true)
    })

    it('abort the work of a node that lost its lease', async () => {
      const lost = Promise.withResolvers<unknown>()
      const work = here.locks.run('folder', async ({ signal }) => {
        signal.addEventListener('abort', () => lost.resolve(signal.reason), { once: true })
        // Somebody cleared what the nodes share.
        await nodes.forgetLeases()
        await lost.promise
      })
      expect(await lost.promise).toMatchObject({ message: 'a lock was lost' })
      await work
    })
  })
}
