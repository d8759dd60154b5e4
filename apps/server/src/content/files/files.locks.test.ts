import { secureRandom, systemClock } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import { describe, expect, it } from 'vitest'
import { createLocks, createMemoryLeases } from '../../kernel/locks/index.ts'
import { createFolderLocks, type FolderLocks } from './files.locks.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

interface Hooks {
  readonly onRenew?: () => void
  readonly catchUp?: () => Promise<void>
}

/** Locks whose leases are lost as soon as they are to be renewed, as on a node whose database hung. */
function locksThatAreLost({ onRenew = () => undefined, catchUp = () => Promise.resolve() }: Hooks = {}): FolderLocks {
  const renew = (): Promise<boolean> => {
    // Once the answer was taken.
    setImmediate(onRenew)
    return Promise.resolve(false)
  }
  const leases = { ...createMemoryLeases(), isShared: true, renew }
  const locks = createLocks({ leases, clock: systemClock, random: secureRandom, log: SILENT, leaseMs: 30 })
  return createFolderLocks({ locks, bus: { flush: () => Promise.resolve(), catchUp }, storages: { idOf: () => 1 } })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

describe('folders that are held', () => {
  const at = (key: string) => ({ store: {} as ObjectStore, key })

  it('end the work with FILE_BUSY when the lease is lost', async () => {
    const work = async (held: AbortSignal): Promise<void> => {
      await aborted(held)
      held.throwIfAborted()
    }
    await expect(locksThatAreLost().run(at('a'), work)).rejects.toMatchObject({ code: 'FILE_BUSY' })
    await expect(locksThatAreLost().runAll([at('a'), at('b')], work)).rejects.toMatchObject({ code: 'FILE_BUSY' })
  })

  it('are not worked in when the lease is lost before the work begins', async () => {
    let isBegun = false
    let looks = 0
    const lost = Promise.withResolvers<void>()
    // The second folder comes when the lease of the first is gone.
    const catchUp = (): Promise<void> => (++looks === 2 ? lost.promise : Promise.resolve())
    const begun = locksThatAreLost({ onRenew: lost.resolve, catchUp }).runAll([at('a'), at('b')], () => {
      isBegun = true
      return Promise.resolve()
    })
    await expect(begun).rejects.toMatchObject({ code: 'FILE_BUSY' })
    expect(isBegun).toBe(false)
  })

  it('are worked in without an end as long as the lease is kept', async () => {
    const locks = createLocks({ leases: createMemoryLeases(), clock: systemClock, random: secureRandom, log: SILENT })
    const bus = { flush: () => Promise.resolve(), catchUp: () => Promise.resolve() }
    const folders = createFolderLocks({ locks, bus, storages: { idOf: () => 1 } })
    expect(await folders.runAll([], (held) => Promise.resolve(held.aborted))).toBe(false)
    expect(await folders.runAll([at('a')], (held) => Promise.resolve(held.aborted))).toBe(false)
  })
})
