import { MiB } from '@godwit/base'
import type { TransferTicket } from '@godwit/contract'
import { TransferError, type ReceiveTask } from '@godwit/transfer'
import { MemoryDisk, MemorySource, MemoryTarget } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveWith, sendWith, TransferSite } from './testing/transfer-site.ts'

const EVERYTHING = 8191
const TIME = 1_700_000_000_000
/** Twenty seconds at the slow rate. */
const LARGE = 5 * MiB
const SLOW_MBPS = 2

function sourceOf(files: Readonly<Record<string, number>>): MemorySource {
  const entries = Object.entries(files)
  return new MemorySource(new Map(entries.map(([name, size]) => [name, { bytes: Buffer.alloc(size), mtimeMs: TIME }])))
}

function failureOf({ result }: ReceiveTask): Promise<unknown> {
  return result.then(
    () => 'done',
    (error: unknown) => (error instanceof TransferError ? error.code : error),
  )
}

describe('rights that are taken away', () => {
  let site: TransferSite
  let admin = ''
  beforeAll(async () => {
    site = await TransferSite.open({})
    admin = site.token
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const ticketFor = async (direction: 'upload' | 'download', wanted: object): Promise<TransferTicket> =>
    (await site.post(`transfers/${direction}`, wanted)).data as unknown as TransferTicket

  /** Signs in a new account with everything allowed and a large file, which moves slowly from now on. */
  async function signInSlow(account: string): Promise<void> {
    site.token = await site.signInNew(account)
    await site.changeAccount(admin, account, { permission: EVERYTHING })
    const task = await sendWith(await ticketFor('upload', { folder: '/' }), sourceOf({ 'secret/plan.bin': LARGE }))
    expect((await task.result).failures).toEqual([])
    await site.limitSpeed(admin, account, SLOW_MBPS)
  }

  const forbid = (account: string, path: string): Promise<void> =>
    site.changeAccount(admin, account, { rules: { forbiddenPaths: [path] } })
  const isMoving = async ({ transfer }: TransferTicket): Promise<void> =>
    void (await site.until(transfer.transferId, ({ bytesDone }) => bytesDone > 0))

  it('end a download by a client once one of its paths is forbidden', async () => {
    await signInSlow('lin')
    const ticket = await ticketFor('download', { paths: ['/secret'] })
    const failed = failureOf(await receiveWith(ticket, new MemoryTarget(new MemoryDisk())))
    await isMoving(ticket)
    await forbid('lin', '/secret')
    expect(await failed).toBe('CANCELLED')
    const ended = async () =>
      (await site.transfers()).find(({ transferId }) => transferId === ticket.transfer.transferId)
    await expect.poll(ended).toMatchObject({ state: 'failed', error: 'PERMISSION_DENIED' })
  })

  it('keep from a client what is forbidden below its folder, and nothing else', async () => {
    await signInSlow('mei')
    const ticket = await ticketFor('download', { paths: ['/secret'] })
    const task = await receiveWith(ticket, new MemoryTarget(new MemoryDisk()))
    await isMoving(ticket)
    await forbid('mei', '/secret/plan.bin')
    expect((await task.result).failures).toMatchObject([{ path: 'secret/plan.bin' }])
  })

  it('cut a zip of the browser in what is forbidden below its folder', async () => {
    await signInSlow('zoe')
    const answer = await fetch(`${site.url}/api/files/content?path=/secret`, {
      headers: { authorization: `Bearer ${site.token}` },
    })
    expect(answer.status).toBe(200)
    await forbid('zoe', '/secret/plan.bin')
    const ended = answer.arrayBuffer().then(
      ({ byteLength }) => byteLength,
      (error: unknown) => (error instanceof Error ? error.message : error),
    )
    expect(await ended).toBe('terminated')
  })

  it('fail the files of an upload that are forbidden, and no others', async () => {
    await signInSlow('yan')
    const ticket = await ticketFor('upload', { folder: '/' })
    const files = sourceOf({ 'a/film.bin': LARGE, 'a/later.bin': 5_000, 'b/film.bin': 5_000 })
    const task = await sendWith(ticket, files)
    await isMoving(ticket)
    await forbid('yan', '/a')
    const { failures } = await task.result
    expect(failures.map(({ path }) => path).toSorted()).toEqual(['a/film.bin', 'a/later.bin'])
  })

  const WAYS = [
    { how: 'its path is forbidden', take: (account: string) => forbid(account, '/secret') },
    { how: 'another process locks its account', take: (account: string) => site.cli(`user lock --account ${account}`) },
    { how: 'it is revoked', take: (_: string, tokenId: string) => site.post('user/api-tokens/remove', { tokenId }) },
  ]
  for (const [number, { how, take }] of WAYS.entries())
    it(`end a download of an API token once ${how}`, async () => {
      const account = `program${number}`
      await signInSlow(account)
      const { token, id } = await site.apiToken(EVERYTHING, site.token)
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${site.url}/api/files/content?path=/secret/plan.bin`, { headers })
      expect(answer.status).toBe(200)
      await take(account, id)
      const ended = answer.arrayBuffer().then(
        ({ byteLength }) => byteLength,
        (error: unknown) => (error instanceof Error ? error.message : error),
      )
      expect(await ended).toBe('terminated')
    })
})
