import { MiB } from '@godwit/base'
import { ERRORS, PERMISSION, type TransferTicket } from '@godwit/contract'
import { MemoryDisk, MemorySource, MemoryTarget } from '@godwit/transfer/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../security/testing/wire.ts'
import { receiveWith, sendWith, TransferSite } from './testing/transfer-site.ts'

const EVERYTHING = 8191
const TIME = 1_700_000_000_000

function filesOf(size: number, ...names: readonly string[]): MemorySource {
  return new MemorySource(new Map(names.map((name) => [name, { bytes: Buffer.alloc(size, name), mtimeMs: TIME }])))
}

function ticketIn({ data }: Answer): TransferTicket {
  return data as unknown as TransferTicket
}

describe('the rights of a transfer', () => {
  let site: TransferSite
  let mei = ''
  beforeAll(async () => {
    site = await TransferSite.open({})
    mei = await site.signInNew('mei')
    await site.changeAccount(site.token, 'mei', { permission: EVERYTHING })
    const ticket = ticketIn(await site.post('transfers/upload', { folder: '/' }, mei))
    await (
      await sendWith(ticket, filesOf(MiB, 'secret/plan.bin'))
    ).result
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const upload = async (token: string): Promise<TransferTicket> =>
    ticketIn(await site.post('transfers/upload', { folder: '/' }, token))
  const download = async (token: string): Promise<TransferTicket> =>
    ticketIn(await site.post('transfers/download', { paths: ['/secret'] }, token))
  /** What the ticket of a transfer is answered with that `token` goes on with. */
  const again = ({ transfer }: TransferTicket, token: string): Promise<Answer> =>
    site.post(`transfers/${transfer.transferId}/ticket`, {}, token)
  const received = async (ticket: TransferTicket): Promise<readonly string[]> => {
    const disk = new MemoryDisk()
    await (
      await receiveWith(ticket, new MemoryTarget(disk))
    ).result
    return [...disk.files.keys()]
  }

  const tokenOf = async (...permissions: ReadonlyArray<keyof typeof PERMISSION>): Promise<string> => {
    const set = permissions.reduce((sum, permission) => sum | PERMISSION[permission], 0)
    return (await site.apiToken(set, mei)).token
  }
  const revoke = async (id: string): Promise<void> => {
    expect((await site.post('user/api-tokens/remove', { tokenId: id }, mei)).code).toBe(200)
  }

  it('are not those of its account for an API token that asks for its ticket', async () => {
    const reader = await tokenOf('list', 'download')
    expect((await again(await upload(mei), reader)).code).toBe(ERRORS.PERMISSION_DENIED.wire)
    const sender = await tokenOf('upload')
    expect((await again(await download(mei), sender)).code).toBe(ERRORS.PERMISSION_DENIED.wire)
  })

  it('let an API token pause, limit or cancel only what it may do itself', async () => {
    const { transfer } = await upload(mei)
    const reader = await tokenOf('list', 'download')
    const control = async (what: string, token: string, body = {}): Promise<number | undefined> =>
      (await site.post(`transfers/${transfer.transferId}/${what}`, body, token)).code
    for (const what of ['pause', 'resume', 'cancel'])
      expect(await control(what, reader)).toBe(ERRORS.PERMISSION_DENIED.wire)
    expect(await control('limit', reader, { rateMbps: 1 })).toBe(ERRORS.PERMISSION_DENIED.wire)
    const sender = await tokenOf('upload')
    expect(await control('limit', sender, { rateMbps: 1 })).toBe(200)
    expect(await control('cancel', sender)).toBe(200)
  })

  it('are those of the API token that goes on with it, and stay so when its person asks for the ticket again', async () => {
    const begun = await upload(mei)
    const ticket = ticketIn(await again(begun, await tokenOf('upload', 'mkdir')))
    expect(ticket.ticket).toBe(begun.ticket)
    expect((await again(begun, mei)).code).toBe(200)
    const { failures } = await (await sendWith(ticket, filesOf(2_000, 'new.txt', 'secret/plan.bin'))).result
    // Only the session may replace files.
    expect(failures).toEqual([{ path: 'secret/plan.bin', code: 'TARGET_UNWRITABLE' }])
  })

  it('go over to another device and outlive the one before', async () => {
    const [first, second] = [await site.apiToken(EVERYTHING, mei), await site.apiToken(EVERYTHING, mei)]
    const ticket = ticketIn(await again(await download(first.token), second.token))
    await revoke(first.id)
    expect(await received(ticket)).toEqual(['secret/plan.bin'])
  })

  it('end with a revoked API token, and nobody revives its ticket', async () => {
    const { token, id } = await site.apiToken(EVERYTHING, mei)
    const begun = await download(token)
    await revoke(id)
    expect((await again(begun, mei)).code).toBe(ERRORS.TICKET_INVALID.wire)
  })

  it('are not put together from two API tokens', async () => {
    const begun = await download(await tokenOf('list', 'download', 'share'))
    expect((await again(begun, await tokenOf('list', 'download', 'move'))).code).toBe(ERRORS.TICKET_INVALID.wire)
    expect((await again(begun, await tokenOf('list', 'download'))).code).toBe(200)
  })
})
