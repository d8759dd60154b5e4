import type { TransferTicket } from '@godwit/contract'
import type { Connection } from '@godwit/transport/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectWith, TransferSite } from './testing/transfer-site.ts'

const OF_ACCOUNT = 20
const OF_PROCESS = 200
/** Connections that have not shown their ticket are few from one address. */
const AT_ONCE = 25
const BUSY = 'later SERVER_BUSY'

describe('transfers at once', () => {
  let site: TransferSite
  const open = new Map<string, Connection>()

  beforeAll(async () => {
    site = await TransferSite.open({})
  })
  afterAll(async () => {
    for (const connection of open.values()) connection.close(0, 'done')
    await site[Symbol.asyncDispose]()
  })

  async function ticketsOf(token: string, count: number): Promise<readonly TransferTicket[]> {
    const answers = Array.from({ length: count }, () => site.post('transfers/upload', { folder: '/' }, token))
    return (await Promise.all(answers)).map(({ data }) => data as unknown as TransferTicket)
  }

  /** @returns '' when the transfer is connected, else why not */
  async function begin(ticket: TransferTicket): Promise<string> {
    try {
      const connection = await connectWith(ticket, { udp: 'off' })
      open.set(ticket.transfer.transferId, connection)
      connection.start({
        source: { read: () => false },
        data: (_object, _offset, bytes) => connection.consumed(bytes.length),
        acked: () => undefined,
        pathChanged: () => undefined,
        closed: () => {
          if (open.get(ticket.transfer.transferId) === connection) open.delete(ticket.transfer.transferId)
        },
      })
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : 'unknown'
    }
  }

  /** Tries again as a client does, once a place may be free. */
  async function untilBegun(ticket: TransferTicket): Promise<void> {
    for (;;) {
      const refused = await begin(ticket)
      if (refused === '') return
      expect(refused).toBe(BUSY)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('are 20 of an account, also when more come in one moment; one that comes back has its place', async () => {
    const tickets = await ticketsOf(site.token, AT_ONCE)
    const refused = await Promise.all(tickets.map((ticket) => begin(ticket)))
    expect(refused.filter((reason) => reason === '')).toHaveLength(OF_ACCOUNT)
    expect(refused.filter((reason) => reason === BUSY)).toHaveLength(AT_ONCE - OF_ACCOUNT)

    const first = tickets.find((_ticket, at) => refused[at] === '')
    const late = tickets.find((_ticket, at) => refused[at] === BUSY)
    if (first === undefined || late === undefined) throw new Error('nobody came in or stayed out')
    expect(await begin(first)).toBe('')
    expect(await begin(late)).toBe(BUSY)
    open.get(first.transfer.transferId)?.close(0, 'done')
    await untilBegun(late)
  })

  it('are 200 of a process, whoever they belong to', async () => {
    let stranger: TransferTicket | undefined
    while (open.size < OF_PROCESS) {
      const token = await site.signInNew(`crowd${open.size}`)
      const tickets = await ticketsOf(token, OF_ACCOUNT)
      for (const reason of await Promise.all(tickets.map((ticket) => begin(ticket)))) expect(reason).toBe('')
      stranger = tickets[0]
    }
    expect(open.size).toBe(OF_PROCESS)
    const [wanted] = await ticketsOf(await site.signInNew('late'), 1)
    if (wanted === undefined || stranger === undefined) throw new Error('no ticket')
    expect(await begin(wanted)).toBe(BUSY)
    open.get(stranger.transfer.transferId)?.close(0, 'done')
    await untilBegun(wanted)
  })
})
