import { createHash } from 'node:crypto'
import { MiB } from '@godwit/base'
import { ERRORS, LIMITS, type TransferTicket } from '@godwit/contract'
import { MemoryDisk, MemorySource, MemoryTarget, type MemorySourceFile } from '@godwit/transfer/testing'
import { mariadbUrl } from '@godwit/testkit/engines'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendFiles, type SendTask, TransferError } from '@godwit/transfer'
import { formatTicket } from '@godwit/transfer/endpoints'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { ask, type Answer } from '../../security/testing/wire.ts'
import { connectWith, receiveWith, sendWith, TransferSite } from './testing/transfer-site.ts'

const TIME = 1_700_000_000_000
const TASK = Buffer.alloc(16, 9)

function contentOf(name: string, size: number): Buffer {
  return createHash('shake256', { outputLength: size }).update(name).digest()
}

function failureOf(task: SendTask): Promise<unknown> {
  return task.result.then(
    () => 'done',
    (error: unknown) => (error instanceof TransferError ? error.code : error),
  )
}

/** A folder with a file of several blocks, small ones and an empty one. */
function folderOf(name: string, size = 6 * MiB + 77): Map<string, MemorySourceFile> {
  const files = [
    ['large.bin', size],
    ['small/one.txt', 100],
    ['small/two.txt', 5_000],
    ['empty', 0],
  ] as const
  return new Map(files.map(([file, bytes]) => [`${name}/${file}`, { bytes: contentOf(file, bytes), mtimeMs: TIME }]))
}

const SITES = [
  { name: 'SQLite and a local disk', open: () => TransferSite.open({}) },
  { name: 'MariaDB', open: async () => TransferSite.open({ GODWIT_DATABASE_URL: await mariadbUrl() }) },
  { name: 'a bucket', open: openOnBucket },
]

let bucket: TemporaryBucket | undefined

function openOnBucket(): Promise<TransferSite> {
  return TransferSite.open({}, async (data) => {
    bucket = await keepFilesInBucket({ GODWIT_DATA: data })
  })
}

afterAll(async () => bucket?.store[Symbol.asyncDispose]())

for (const { name, open } of SITES) {
  describe(`a transfer with a server on ${name}`, () => {
    let site: TransferSite
    beforeAll(async () => {
      site = await open()
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    it.each(['auto', 'off'] as const)('brings a folder and fetches it again, UDP %s', async (udp) => {
      const files = folderOf(`by-${udp}`)
      const up = await site.uploadTicket()
      expect(up.udpPort).toBeGreaterThan(0)
      const sent = await (await sendWith(up, new MemorySource(files), { udp })).result
      expect(sent.failures).toEqual([])
      const done = await site.until(up.transfer.transferId, ({ state }) => state === 'completed')
      expect(done).toMatchObject({ direction: 'upload', failures: 0, bytesDone: sent.bytes, address: '127.0.0.1' })

      const disk = new MemoryDisk()
      const down = await site.downloadTicket(`/by-${udp}`)
      await (
        await receiveWith(down, new MemoryTarget(disk), { udp })
      ).result
      await site.until(down.transfer.transferId, ({ state }) => state === 'completed')
      for (const [path, { bytes }] of files)
        expect(Buffer.compare(disk.files.get(path)?.bytes ?? Buffer.alloc(0), bytes)).toBe(0)
      expect(disk.files.size).toBe(files.size)
      // The same ticket opens nothing any more.
      await expect(receiveWith(down, new MemoryTarget(disk), { udp })).rejects.toThrow('never TICKET_INVALID')
    })

    it('goes on after the server was stopped, with the same ticket', async () => {
      const files = folderOf('again', 24 * MiB)
      const ticket = await site.uploadTicket()
      const moved = Promise.withResolvers<void>()
      const events = {
        progress: ({ bytesDone }: { bytesDone: number }) => (bytesDone > 4 * MiB ? moved.resolve() : undefined),
      }
      const first = await sendWith(ticket, new MemorySource(files), { events })
      const ending = first.result.then(
        () => 'done',
        (error: unknown) => error,
      )
      await Promise.race([moved.promise, ending])
      await site.restart()
      if ((await ending) === 'done') return
      const [found] = await site.transfers()
      expect(found?.state).toBe('interrupted')
      // The same ticket; the port is another one, because the test leaves it to chance.
      const { data } = await site.post(`transfers/${ticket.transfer.transferId}/ticket`)
      const { port } = data as unknown as TransferTicket
      const result = await (await sendWith({ ...ticket, port }, new MemorySource(files))).result
      expect(result.failures).toEqual([])
      const { bytesDone } = await site.until(ticket.transfer.transferId, ({ state }) => state === 'completed')
      expect(bytesDone).toBe(result.bytes)
    })
  })
}

describe('a ticket', () => {
  let site: TransferSite
  beforeAll(async () => {
    site = await TransferSite.open({})
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  it('is refused to whoever may not upload there, and a transfer is seen by its account alone', async () => {
    expect((await site.post('transfers/upload', { folder: '/absent' })).code).toBe(ERRORS.PATH_NOT_FOUND.wire)
    expect((await site.post('transfers/download', { paths: ['/absent'] })).code).toBe(ERRORS.PATH_NOT_FOUND.wire)
    expect((await site.post(`transfers/${'0'.repeat(32)}/cancel`)).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
    const { transferId } = (await site.uploadTicket()).transfer
    const owner = site.token
    site.token = await site.signInNew('stranger')
    expect(await site.transfers()).toEqual([])
    for (const action of ['ticket', 'pause', 'resume', 'cancel'])
      expect((await site.post(`transfers/${transferId}/${action}`)).code, action).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
    for (const wanted of [{ rateMbps: 1 }, { priority: 'high' }])
      expect((await site.post(`transfers/${transferId}/limit`, wanted)).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
    site.token = owner
    await site.post(`transfers/${transferId}/cancel`)
  })

  it('names host and packet size of the site from its next start on, and there is none while the port is off', async () => {
    for (const value of ['599', '1443']) expect(await site.cli(`settings set packageSize ${value}`)).toBe(5)
    expect(await site.cli('settings set packageSize 600')).toBe(0)
    expect(await site.cli('settings set host files.example.org')).toBe(0)
    expect((await site.uploadTicket()).packetSize).toBe(LIMITS.packageSizeMax)
    await site.restart()
    const ticket = await site.uploadTicket()
    expect(ticket).toMatchObject({ packetSize: LIMITS.packageSizeMin, host: 'files.example.org' })
    expect((await (await sendWith(ticket, new MemorySource(folderOf('in-small-packets')))).result).failures).toEqual([])
    await site.until(ticket.transfer.transferId, ({ state }) => state === 'completed')
    for (const key of ['packageSize', 'host']) expect(await site.cli(`settings reset ${key}`)).toBe(0)
    expect(await site.cli('settings set transferPortSwitch off')).toBe(0)
    await site.restart()
    expect((await site.post('transfers/upload', { folder: '/' })).code).toBe(ERRORS.TRANSFER_PORT_UNAVAILABLE.wire)
    expect(await site.cli('settings reset transferPortSwitch')).toBe(0)
    await site.restart()
  })

  it('cannot be made of an id', async () => {
    const ticket = await site.uploadTicket()
    const forged = formatTicket({ id: ticket.transfer.transferId, secret: Buffer.alloc(32, 1) })
    await expect(connectWith({ ...ticket, ticket: forged }, {})).rejects.toThrow('decrypt error')
    expect((await site.transfers())[0]?.state).toBe('waiting')
  })

  it('wants encryption, unless the site does without it', async () => {
    const ticket = await site.uploadTicket()
    expect(ticket.encrypted).toBe(true)
    await expect(connectWith(ticket, { encrypted: false })).rejects.toThrow('encryption')
  })

  it('says what uploads to its place leave out, and where the account works by default', async () => {
    const token = await site.signInNew('picky')
    const run = async (words: string): Promise<void> => expect(await site.cli(words), words).toBe(0)
    await run('group add Picky')
    const group = 1
    await run(`group member --group ${group} --account picky --permission list,upload,download`)
    await run('settings set transIgnoreRegSwitch 1 --account picky')
    await run('settings set transIgnoreReg *.tmp --account picky')
    await run(`settings set transSkipSameName 1 --group ${group}`)
    const rulesOf = async (groupId: number) => {
      const { data } = await site.post('transfers/upload', { folder: '/', groupId }, token)
      expect(data).toMatchObject({ defaultSpaceId: 1 })
      return data['rules']
    }
    const own = { transIgnoreRegSwitch: 1, transIgnoreReg: '*.tmp', transSkipSameName: 0, forbidClientFilterSwitch: 0 }
    const inGroup = { transIgnoreRegSwitch: 0, transIgnoreReg: '', transSkipSameName: 1 }
    await expect.poll(() => rulesOf(0), { timeout: 10_000 }).toMatchObject(own)
    await expect.poll(() => rulesOf(group), { timeout: 10_000 }).toMatchObject(inGroup)
  })

  it('ends with a cancel, also of a running transfer', async () => {
    const ticket = await site.uploadTicket()
    const { transferId } = ticket.transfer
    const task = await sendWith(ticket, new MemorySource(folderOf('cancelled', 40 * MiB)))
    task.setPaused(true)
    await site.until(transferId, ({ state }) => state === 'running')
    const failed = failureOf(task)
    expect((await site.post(`transfers/${transferId}/cancel`)).code).toBe(200)
    expect(await failed).toBe('PEER_REFUSED')
    await expect(connectWith(ticket, {})).rejects.toThrow('never TICKET_INVALID')
    const ended = (await site.transfers()).find((one) => one.transferId === transferId)
    expect(ended?.state).toBe('cancelled')
    await site.untilNoUploads()
  })

  it('gives up with a cancel what an interrupted transfer left behind', async () => {
    const ticket = await site.uploadTicket()
    const { transferId } = ticket.transfer
    const moved = Promise.withResolvers<void>()
    const events = {
      progress: ({ bytesDone }: { bytesDone: number }) => (bytesDone > MiB ? moved.resolve() : undefined),
    }
    const task = await sendWith(ticket, new MemorySource(folderOf('given-up', 40 * MiB)), { events, rate: 30e6 })
    const failed = failureOf(task)
    await moved.promise
    task.cancel()
    await failed
    await site.until(transferId, ({ state }) => state === 'interrupted')
    expect(await site.unfinished()).toBeGreaterThan(0)
    await site.post(`transfers/${transferId}/cancel`)
    expect(await site.unfinished()).toBe(0)
  })

  it('is paused and resumed from elsewhere', async () => {
    const ticket = await site.uploadTicket()
    const { transferId } = ticket.transfer
    await site.post(`transfers/${transferId}/pause`)
    const task = await sendWith(ticket, new MemorySource(folderOf('paused')))
    await site.until(transferId, ({ state }) => state === 'paused')
    await site.post(`transfers/${transferId}/resume`)
    expect((await task.result).failures).toEqual([])
    await site.until(transferId, ({ state }) => state === 'completed')
  })

  it.each(['upload', 'download'] as const)('follows the speed limit of its account, live: %s', async (direction) => {
    const admin = site.token
    const name = `slow-${direction}`
    const files = folderOf(name, 12 * MiB)
    site.token = await site.signInNew(direction)
    const limit = (mbps: number) => site.limitSpeed(admin, direction, mbps)
    if (direction === 'download') await (await sendWith(await site.uploadTicket(), new MemorySource(files))).result
    // At this rate it would take longer than the test may.
    await limit(2)
    const ticket = direction === 'upload' ? await site.uploadTicket() : await site.downloadTicket(`/${name}`)
    const task =
      direction === 'upload'
        ? await sendWith(ticket, new MemorySource(files))
        : await receiveWith(ticket, new MemoryTarget(new MemoryDisk()))
    const { transferId } = ticket.transfer
    const running = await site.until(transferId, ({ bytesDone }) => bytesDone > 0)
    expect(running.bytesDone).toBeLessThan(6 * MiB)
    await limit(0)
    expect((await task.result).failures).toEqual([])
    await site.until(transferId, ({ state }) => state === 'completed')
    site.token = admin
  })

  it.each(['auto', 'off'] as const)(
    'holds the sender of an upload itself to a limit, when it is set, changed and lifted, with UDP %s',
    async (udp) => {
      const admin = site.token
      const account = `yan_${udp}`
      site.token = await site.signInNew(account)
      const ticket = await site.uploadTicket()
      const limit = (rateMbps: number) => site.post(`transfers/${ticket.transfer.transferId}/limit`, { rateMbps })
      await limit(4)
      const channel = await connectWith(ticket, { udp })
      const source = new MemorySource(folderOf('held', 12 * MiB))
      const task = sendFiles({ channel, source, nowMs: () => performance.now() }, { taskId: TASK, hash: 'blake3' })
      const known = () => channel.stats().session.limitBitsPerSecond
      await expect.poll(known).toBe(4e6)
      await limit(16)
      await expect.poll(known).toBe(16e6)
      // So do the limits of the account, of its space and of the site.
      await site.limitSpeed(admin, account, 8)
      await expect.poll(known, { timeout: 10_000 }).toBe(8e6)
      await site.limitSpeed(admin, account, 0)
      await expect.poll(known, { timeout: 10_000 }).toBe(16e6)
      await limit(0)
      await expect.poll(known).toBe(Infinity)
      site.token = admin
      expect((await task.result).failures).toEqual([])
    },
  )

  it('is listed, limited, paused and ended by an administrator', async () => {
    const admin = site.token
    const asAdmin = async (path: string, json?: object): Promise<Answer> =>
      ask(site.url, {
        method: json === undefined ? 'GET' : 'POST',
        path: `/api/admin/transfers${path}`,
        token: admin,
        ...(json && { json }),
      })
    const person = await site.signInNew('lin')
    site.token = person
    const ticket = await site.uploadTicket()
    const { transferId } = ticket.transfer
    const transferIds = [transferId]
    expect((await asAdmin('/limit', { transferIds, ceilingMbps: 2, priority: 'low' })).data).toEqual({ changed: 1 })
    const task = await sendWith(ticket, new MemorySource(folderOf('watched', 12 * MiB)))
    const failed = failureOf(task)
    const seen = await site.until(transferId, ({ bytesDone, bytesMoved }) => bytesDone > 0 && bytesMoved > 0)
    expect(seen).toMatchObject({ ceilingMbps: 2, rateMbps: 0, priority: 'low', state: 'running' })
    expect(seen.startedAt).toBeGreaterThan(0)
    const { data: live } = await asAdmin('?text=LIN&state=running')
    expect(live).toMatchObject({ total: 1, rows: [{ transferId, account: 'lin', address: '127.0.0.1' }] })
    // A limit of the account does not lift that of an administrator.
    await site.post(`transfers/${transferId}/limit`, { rateMbps: 50 })
    expect((await asAdmin('/control', { transferIds, action: 'pause' })).data).toEqual({ changed: 1 })
    await site.until(transferId, ({ state }) => state === 'paused')
    expect((await asAdmin('/control', { transferIds, action: 'cancel' })).code).toBe(200)
    expect(await failed).toBe('PEER_REFUSED')
    expect((await asAdmin('?text=lin&view=live')).data).toMatchObject({ total: 0 })
    const { data: past } = await asAdmin(`/${transferId}`)
    expect(past).toMatchObject({ transfer: { state: 'cancelled', rateMbps: 50, ceilingMbps: 2 }, files: [] })
    // One that is over stays as it is, and none that is known of is an error.
    expect((await asAdmin('/control', { transferIds, action: 'resume' })).data).toEqual({ changed: 1 })
    expect((await asAdmin(`/${transferId}`)).data).toMatchObject({ transfer: { state: 'cancelled' } })
    const absent = { transferIds: ['0'.repeat(32)], action: 'pause' }
    expect((await asAdmin('/control', absent)).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
    expect((await asAdmin('/none')).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
    const { data: log } = await ask(site.url, { path: '/api/admin/log/operations?targetKind=transfer', token: admin })
    expect(log).toMatchObject({ total: 5 })
    site.token = admin
  })

  it('is raised and lowered by its person while it runs, and by nobody else', async () => {
    const files = folderOf('graded', 8 * MiB)
    await (
      await sendWith(await site.uploadTicket(), new MemorySource(files))
    ).result
    const ticket = await site.downloadTicket('/graded')
    const { transferId } = ticket.transfer
    const grade = async (priority: string, token = site.token) =>
      site.post(`transfers/${transferId}/limit`, { priority }, token)
    expect((await grade('high')).data).toMatchObject({ transfer: { priority: 'high', rateMbps: 0 } })
    const stranger = await site.signInNew('envious')
    expect((await grade('low', stranger)).code).toBe(ERRORS.TRANSFER_NOT_FOUND.wire)
    expect((await grade('highest')).code).toBe(400)
    await site.post(`transfers/${transferId}/limit`, { rateMbps: 4 })
    const task = await receiveWith(ticket, new MemoryTarget(new MemoryDisk()))
    const seen = await site.until(transferId, ({ bytesDone }) => bytesDone > 0)
    // What is left out of a change stays.
    expect(seen).toMatchObject({ state: 'running', priority: 'high', rateMbps: 4 })
    expect((await grade('low')).data).toMatchObject({ transfer: { priority: 'low', rateMbps: 4 } })
    await site.post(`transfers/${transferId}/limit`, { rateMbps: 0 })
    await task.result
    const done = await site.until(transferId, ({ state }) => state === 'completed')
    // One that is over stays as it is.
    expect(done.priority).toBe('low')
    expect((await grade('high')).data).toMatchObject({ transfer: { priority: 'low' } })
  })

  it('ends with the account that asked for it, and its running transfer too', async () => {
    const token = site.token
    site.token = await site.signInNew('mei')
    const ticket = await site.uploadTicket()
    const task = await sendWith(ticket, new MemorySource(folderOf('locked', 40 * MiB)))
    task.setPaused(true)
    await site.until(ticket.transfer.transferId, ({ state }) => state === 'running')
    const failed = failureOf(task)
    expect(await site.cli('user lock --account mei')).toBe(0)
    expect(await failed).toBe('PEER_REFUSED')
    site.token = token
    expect(await site.transfers()).not.toContainEqual(expect.objectContaining(ticket.transfer))
    await expect(connectWith(ticket, {})).rejects.toThrow('never TICKET_INVALID')
  })
})
