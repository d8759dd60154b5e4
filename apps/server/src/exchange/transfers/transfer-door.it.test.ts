import { MiB } from '@godwit/base'
import { MemorySource } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unsharedLeases, type Leases } from '../../content/intake/leases.ts'
import { AppError } from '../../kernel/errors.ts'
import { DoorSite, type Line } from './testing/door-site.ts'
import { sweepTransfers } from './transfers.sweep.ts'

const TIME = 1_700_000_000_000
const STALLED_BYTES = 2 * MiB

function sourceOf(name: string, size: number): MemorySource {
  return new MemorySource(new Map([[name, { bytes: Buffer.alloc(size, name), mtimeMs: TIME }]]))
}

/** The first bytes have crossed, and no more do until `channel.setPaused(false)`. */
function stalled({ channel }: Line): Promise<void> {
  return new Promise((resolve) => {
    channel.onBody = () => {
      if (channel.bodyBytes < STALLED_BYTES) return
      channel.onBody = undefined
      channel.setPaused(true)
      resolve()
    }
  })
}

describe('an upload by a client', () => {
  let site: DoorSite
  beforeAll(async () => {
    site = await DoorSite.open()
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  it('ends when it is cancelled while its client connects', async () => {
    const id = await site.issue()
    const admitted = await site.admit(id)
    expect(await site.cancel(id)).toMatchObject({ state: 'cancelled' })
    const { sending } = site.begin(admitted, sourceOf('cancelled.bin', 8 * MiB), 1)
    await expect(sending.result).rejects.toMatchObject({ code: 'PEER_REFUSED' })
    await site.deps.runs.ended(id)
    expect(await site.row(id)).toMatchObject({ state: 'cancelled' })
    expect(await site.unfinished()).toEqual([])
  })

  /** A first client lost its line, and a second one goes on with the same task; both have sent a part. */
  const twoOfOneTask = async (name: string, task: number) => {
    const source = sourceOf(name, 16 * MiB)
    const first = await site.issue()
    const lost = site.begin(await site.admit(first), source, task)
    await stalled(lost)
    lost.channel.cut()
    await site.deps.runs.ended(first)
    expect(await site.row(first)).toMatchObject({ state: 'interrupted' })
    const second = await site.issue()
    const line = site.begin(await site.admit(second), source, task)
    await stalled(line)
    await expect.poll(() => site.row(second)).toMatchObject({ state: 'running' })
    return { first, second, line }
  }
  const expire = async (id: string): Promise<void> => {
    await site.deps.db.updateTable('transfers').set({ expires_at: 1 }).where('id', '=', id).execute()
    await sweepTransfers(site.deps)
  }

  it.each([
    { how: 'cancelled', task: 2, end: (id: string) => site.cancel(id) },
    { how: 'expired', task: 3, end: expire },
  ])('goes on when an older one of the same task is $how', async ({ how, task, end }) => {
    const { first, second, line } = await twoOfOneTask(`${how}.bin`, task)
    await end(first)
    expect(await site.row(first)).toMatchObject({ state: how })
    line.channel.setPaused(false)
    expect(await line.sending.result).toMatchObject({ files: 1, failures: [] })
    await site.deps.runs.ended(second)
    expect(await site.row(second)).toMatchObject({ state: 'completed' })
  })

  it('leaves its parts to another one of its task, and gives them up with the last one', async () => {
    const { first, second, line } = await twoOfOneTask('left.bin', 4)
    await site.cancel(second)
    await expect(line.sending.result).rejects.toMatchObject({ code: 'PEER_REFUSED' })
    await site.deps.runs.ended(second)
    expect(await site.unfinished()).toEqual(['/left.bin'])
    await site.cancel(first)
    expect(await site.unfinished()).toEqual([])
  })
})

describe('an upload whose parts cannot be given up', () => {
  let isAway = false
  let site: DoorSite
  beforeAll(async () => {
    const leases: Leases = {
      ...unsharedLeases,
      run: (request, work) =>
        isAway && request.work === 'publish'
          ? Promise.reject(new AppError('DATABASE_UNAVAILABLE'))
          : unsharedLeases.run(request, work),
    }
    site = await DoorSite.open({ leases })
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  it('says so in the log, and lets the next one of its task begin', async () => {
    const source = sourceOf('stuck.bin', 8 * MiB)
    const first = await site.issue()
    const line = site.begin(await site.admit(first), source, 1)
    await stalled(line)
    isAway = true
    await site.cancel(first)
    await site.deps.runs.ended(first)
    isAway = false
    const second = await site.issue()
    const next = site.begin(await site.admit(second), source, 1)
    await expect.poll(() => next.channel.bodyBytes).toBeGreaterThan(0)
    expect(await next.sending.result).toMatchObject({ files: 1, failures: [] })
    expect(site.warned).toEqual(['closing a transfer failed'])
  })
})
