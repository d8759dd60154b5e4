import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { TransferTicket } from '@godwit/contract'
import { ApiError } from '@godwit/sdk'
import { TransferError, type TransferResult } from '@godwit/transfer'
import { RefusedError } from '@godwit/transport/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { KeptTransfers } from '../profiles/profile.ts'
import { reasonOf } from './reason.ts'
import { connectApi } from '../server-link/api.ts'
import { isWorthRetrying, untilDone, waitAfter, type Job } from './until-done.ts'

const RESULT: TransferResult = {
  ...{ files: 1, bytes: 1, keptBytes: 0, failures: [] },
  verdicts: { new: 0, replaced: 0, same: 0, newer: 0, existing: 0 },
}

function ticketOf(transferId: string): TransferTicket {
  return { transfer: { transferId } } as TransferTicket
}

/** @param failures thrown by the first runs */
function job(failures: readonly unknown[], known?: string): { readonly job: Job; readonly log: string[] } {
  const log: string[] = []
  let begun = known
  const kept: KeptTransfers = {
    transferOf: () => Promise.resolve(begun),
    keepTransfer: async (_task, transferId) => void (begun = transferId),
    async forgetTransfer() {
      begun = undefined
      log.push('forgotten')
    },
  }
  const api: Job['api'] = {
    async ticketOf(transferId) {
      if (transferId === 'over') throw new ApiError({ message: 'over', code: 5923, status: 400 })
      return ticketOf(transferId)
    },
    async control(transferId, action) {
      log.push(`${action} ${transferId}`)
      return ticketOf(transferId).transfer
    },
    async arriveBy(transferId, deadline) {
      log.push(`${transferId} by ${deadline}`)
      return ticketOf(transferId).transfer
    },
  }
  const left = [...failures]
  return {
    log,
    job: {
      ...{ task: 'up', kept, api, signal: new AbortController().signal },
      newTicket: () => Promise.resolve(ticketOf('new')),
      async run({ transfer }, attempt) {
        log.push(`run ${transfer.transferId}`)
        attempt.movedBytes = 1
        if (left.length > 0) throw left.shift()
        return RESULT
      },
      onRetry: (reason) => log.push(`retry ${reason}`),
    },
  }
}

describe('a transfer of the client', () => {
  it('is given its deadline before it moves, be it new or begun before', async () => {
    const fresh = job([])
    await untilDone({ ...fresh.job, deadline: 5 })
    expect(fresh.log).toEqual(['new by 5', 'run new', 'forgotten'])
    const known = job([], 'begun')
    await untilDone({ ...known.job, deadline: 7 })
    expect(known.log).toEqual(['begun by 7', 'run begun', 'forgotten'])
  })

  it('goes on with the transfer that an earlier run began', async () => {
    const { job: wanted, log } = job([], 'begun')
    await untilDone(wanted)
    expect(log).toEqual(['run begun', 'forgotten'])
  })

  it('moves nothing before its place is confirmed, and ends what it began for nothing', async () => {
    const answers = [new ApiError({ message: 'away', code: 0, status: 503 }), undefined]
    const confirm = async (): Promise<void> => {
      const answer = answers.shift()
      if (answer !== undefined) throw answer
    }
    const fresh = job([])
    await untilDone({ ...fresh.job, confirm })
    expect(fresh.log).toEqual(['retry away', 'run new', 'forgotten'])
    const refuse = (): Promise<void> => Promise.reject(new Error('elsewhere'))
    const refused = job([])
    await expect(untilDone({ ...refused.job, confirm: refuse })).rejects.toThrow('elsewhere')
    expect(refused.log).toEqual(['forgotten', 'cancel new'])
    // One that was begun before is another run's: it stays as it is.
    const known = job([], 'begun')
    await expect(untilDone({ ...known.job, confirm: refuse })).rejects.toThrow('elsewhere')
    expect(known.log).toEqual([])
  })

  it('begins a new one when that is over', async () => {
    const { job: wanted, log } = job([], 'over')
    await untilDone(wanted)
    expect(log).toEqual(['run new', 'forgotten'])
  })

  it('tries again after a lost connection, with the same transfer', async () => {
    const { job: wanted, log } = job([new TransferError('PEER_LOST')])
    await untilDone(wanted)
    expect(log).toEqual(['run new', 'retry PEER_LOST', 'run new', 'forgotten'])
  })

  it('says what the network calls the reason, which pages have words for', async () => {
    const { job: wanted, log } = job([unreached('ENETDOWN')])
    await untilDone(wanted)
    expect(log).toContain('retry ENETDOWN')
  })

  it('ends when the server has ended it, and forgets it', async () => {
    const { job: wanted, log } = job([new TransferError('PEER_REFUSED')])
    await expect(untilDone(wanted)).rejects.toMatchObject({ code: 'PEER_REFUSED' })
    expect(log).toEqual(['run new', 'forgotten'])
  })
})

/** As fetch reports a network that fails. */
function unreached(code: string): ApiError {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  return new ApiError({ message: 'no answer', code: 0 }, { cause })
}

describe('how long a transfer waits before its next attempt', () => {
  const more = { idleTries: 1, hasMoved: false, maxIdleTries: 20 }

  it('grows while nothing moves, until it is given up', () => {
    const away = unreached('ECONNREFUSED')
    const waits = [0, 1, 2, 3, 4, 20].map((idleTries) => waitAfter(away, { ...more, idleTries }))
    expect(waits).toEqual([500, 1000, 2000, 4000, 6000, 6000])
    expect(waitAfter(away, { ...more, idleTries: 21 })).toBeUndefined()
    expect(waitAfter(away, { ...more, idleTries: 3, maxIdleTries: 2 })).toBeUndefined()
    expect(waitAfter(new TransferError('DISK_FULL'), more)).toBeUndefined()
  })

  it('ends after a few seconds for a name that nobody knows, unless the server was there before', () => {
    const unknown = unreached('ENOTFOUND')
    expect(waitAfter(unknown, { ...more, idleTries: 4 })).toBe(6000)
    expect(waitAfter(unknown, { ...more, idleTries: 5 })).toBeUndefined()
    expect(waitAfter(unknown, { ...more, idleTries: 5, hasMoved: true })).toBe(6000)
  })
})

describe('what is worth another attempt', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
    ...['ENETDOWN', 'EADDRNOTAVAIL', 'EPIPE', 'EAI_AGAIN', 'ENOTFOUND', 'UND_ERR_SOCKET'],
    ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
  ])('a server that cannot be reached: %s', (code) => {
    expect(isWorthRetrying(unreached(code))).toBe(true)
  })

  it('a server that closes the connection while it answers', async () => {
    const server = createServer((socket) => void socket.once('data', () => socket.end())).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const api = connectApi({ server: `http://127.0.0.1:${port}`, token: 'x' }, 'here')
    const thrown: unknown = await api.transfers().catch((error: unknown) => error)
    expect(reasonOf(thrown)).toBe('UND_ERR_SOCKET')
    expect(isWorthRetrying(thrown)).toBe(true)
  })

  it.each([
    [new RefusedError('later SERVER_BUSY'), true],
    [new RefusedError('never TICKET_INVALID'), false],
    [new ApiError({ message: 'busy', code: 5014, status: 503 }), true],
    [new ApiError({ message: 'no', code: 1008, status: 400 }), false],
    [Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' }), true],
    [new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }), true],
    [new Error('the server did not answer in time'), true],
    [new ApiError({ message: 'late', code: 0 }, { cause: new DOMException('late', 'TimeoutError') }), true],
    [unreached('CERT_HAS_EXPIRED'), false],
    [new TransferError('DISK_FULL'), false],
    [new Error('a bug'), false],
  ])('%s: %s', (error, expected) => {
    expect(isWorthRetrying(error)).toBe(expected)
  })
})
