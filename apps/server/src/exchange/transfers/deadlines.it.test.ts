import { MiB } from '@godwit/base'
import { ERRORS } from '@godwit/contract'
import { MemorySource } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../security/testing/wire.ts'
import { sendWith, TransferSite } from './testing/transfer-site.ts'

/** What the account may send: the line that its transfers share. */
const LINE_MBPS = 80
const LINE = (LINE_MBPS * 1e6) / 8

describe('a transfer that is to arrive by a time', () => {
  let site: TransferSite
  let admin = ''
  beforeAll(async () => {
    site = await TransferSite.open({})
    admin = site.token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  let tasks = 0
  const begin = async (name: string, bytes: number) => {
    const ticket = await site.uploadTicket()
    const content = new Map([[name, { bytes: Buffer.alloc(bytes, name), mtimeMs: 0 }]])
    const task = await sendWith(ticket, new MemorySource(content), { task: ++tasks })
    task.result.catch(() => undefined)
    return { task, transferId: ticket.transfer.transferId }
  }
  const change = (transferId: string, wanted: object) => site.post(`transfers/${transferId}/limit`, wanted)

  it('is in time although its equal share would bring it too late: the other gives way, and has the line again after it', async () => {
    site.token = await site.signInNew('mei')
    await site.limitSpeed(admin, 'mei', LINE_MBPS)
    const long = await begin('long.bin', 240 * MiB)
    const wanted = await begin('wanted.bin', 120 * MiB)
    // As an equal it takes 25 s.
    const deadline = Date.now() + 20_000
    expect((await change(wanted.transferId, { deadline })).data).toMatchObject({ transfer: { deadline, lateMs: 0 } })
    const least = { long: Infinity }
    const watching = setInterval(() => {
      void site.transfers().then((all) => {
        const [other] = all.filter(({ transferId, state }) => transferId === long.transferId && state === 'running')
        if (other !== undefined && other.bytesPerSecond > 0) least.long = Math.min(least.long, other.bytesPerSecond)
      })
    }, 500)
    await wanted.task.result
    const done = await site.until(wanted.transferId, ({ state }) => state === 'completed')
    clearInterval(watching)
    expect(done).toMatchObject({ deadline, lateMs: 0 })
    expect(done.finishedAt).toBeLessThan(deadline)
    // It gave way, and was never stopped.
    expect(least.long).toBeLessThan(LINE / 3)
    const other = await site.until(long.transferId, ({ bytesPerSecond }) => bytesPerSecond > LINE * 0.6)
    expect(other).toMatchObject({ state: 'running', deadline: null, lateMs: 0 })
    await site.post(`transfers/${long.transferId}/cancel`)
  })

  it('says by how much it will be late when the whole line is not enough, also for an administrator, until it is given time', async () => {
    site.token = await site.signInNew('lin')
    const { transferId } = await begin('far.bin', 40 * MiB)
    await change(transferId, { rateMbps: 8 })
    const deadline = Date.now() + 10_000
    await change(transferId, { deadline })
    // 42 s at one megabyte a second. A busy machine begins slower than that, and takes more for the time that is left.
    await site.until(transferId, ({ lateMs }) => lateMs > 15_000 && lateMs < 60_000)
    const { data } = await ask(site.url, { path: `/api/admin/transfers/${transferId}`, token: admin })
    expect(data).toMatchObject({ transfer: { deadline } })
    const more = { transferIds: [transferId], deadline: Date.now() + 600_000 }
    expect((await site.post('admin/transfers/limit', more, admin)).data).toEqual({ changed: 1 })
    await site.until(transferId, ({ lateMs, deadline: by }) => lateMs === 0 && by === more.deadline)
    expect((await change(transferId, { deadline: null })).data).toMatchObject({
      transfer: { deadline: null, lateMs: 0 },
    })
    await site.post(`transfers/${transferId}/cancel`)
  })

  it('is refused a time that has passed, and a person the transfers of others', async () => {
    site.token = await site.signInNew('tom')
    const { transferId } = (await site.uploadTicket()).transfer
    for (const deadline of [0, 1, Date.now() - 1])
      expect((await change(transferId, { deadline })).code).toBe(ERRORS.TRANSFER_DEADLINE_PAST.wire)
    const past = { transferIds: [transferId], deadline: 1 }
    expect((await site.post('admin/transfers/limit', past, admin)).code).toBe(ERRORS.TRANSFER_DEADLINE_PAST.wire)
    expect((await change(transferId, { deadline: 'soon' })).code).toBe(400)
    const owner = site.token
    site.token = await site.signInNew('stranger')
    const foreign = await change(transferId, { deadline: Date.now() + 60_000 })
    expect(foreign.code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
    site.token = owner
    expect((await site.transfers()).map(({ deadline }) => deadline)).toEqual([null])
    // One that waits keeps it until it begins.
    const deadline = Date.now() + 60_000
    await change(transferId, { deadline })
    expect((await site.transfers())[0]).toMatchObject({ state: 'waiting', deadline, lateMs: 0 })
  })
})
