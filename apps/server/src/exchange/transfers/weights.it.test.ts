import { MiB } from '@godwit/base'
import { sendFiles } from '@godwit/transfer'
import { MemorySource } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectWith, TransferSite } from './testing/transfer-site.ts'

describe('transfers on a line without a limit', () => {
  let site: TransferSite
  beforeAll(async () => void (site = await TransferSite.open({})))
  afterAll(async () => site[Symbol.asyncDispose]())

  /** Begins an upload that goes on until it is cancelled. */
  async function upload(token: string, number: number) {
    site.token = token
    const ticket = await site.uploadTicket()
    const { transferId } = ticket.transfer
    await site.post(`transfers/${transferId}/limit`, { rateMbps: 1 })
    const channel = await connectWith(ticket, { udp: 'auto' })
    const source = new MemorySource(new Map([['large.bin', { bytes: Buffer.alloc(64 * MiB, number), mtimeMs: 1 }]]))
    const task = sendFiles(
      { channel, source, nowMs: () => performance.now() },
      { taskId: Buffer.alloc(16, number), hash: 'blake3' },
    )
    task.result.catch(() => undefined)
    return {
      weight: () => channel.stats().session.weight,
      async end() {
        task.cancel()
        await task.result.catch(() => undefined)
      },
    }
  }

  it(
    'gives accounts their parts of a line by weights, however many transfers they have',
    { timeout: 60_000 },
    async () => {
      const admin = site.token
      const [mei, lin] = [await site.signInNew('mei'), await site.signInNew('lin')]
      const uploads = [await upload(mei, 1), await upload(mei, 2), await upload(lin, 3)]
      const weights = () => uploads.map(({ weight }) => weight())
      await expect.poll(weights, { timeout: 10_000 }).toEqual([0.75, 0.75, 1.5])
      await site.changeAccount(admin, 'lin', { weight: 40 })
      await expect.poll(weights, { timeout: 10_000 }).toEqual([0.25, 0.25, 2])
      await site.changeAccount(admin, 'mei', { weight: 40 })
      await expect.poll(weights, { timeout: 10_000 }).toEqual([0.75, 0.75, 1.5])
      await uploads[1]?.end()
      await expect.poll(() => [uploads[0]?.weight(), uploads[2]?.weight()], { timeout: 10_000 }).toEqual([1, 1])
      for (const each of uploads) await each.end()
      site.token = admin
    },
  )
})
