import { MiB } from '@godwit/base'
import { MemorySource } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DoorSite } from './testing/door-site.ts'

const TIME = 1_700_000_000_000

function sourceOf(name: string, size: number): MemorySource {
  return new MemorySource(new Map([[name, { bytes: Buffer.alloc(size, name), mtimeMs: TIME }]]))
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
})
