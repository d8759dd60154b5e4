import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Found } from '../access/index.ts'
import { Traffic, type Ended, type Moving, type TrafficLog } from '../traffic/index.ts'
import { countedDownload } from './counted-download.ts'

describe('a download on the books', () => {
  const location = { path: '/plan.pdf', place: { spaceId: 1, groupId: 0 } }
  const found = [{ location, entry: { kind: 'file', size: 9, etag: 'v1', modifiedMs: 1 } }] as unknown as Found[]
  const principal = { kind: 'user', id: 'mei' } as AccountPrincipal
  const exchange = {
    ...{ req: { headers: {} } as IncomingMessage, res: { writableFinished: true } as ServerResponse },
    ...{ signal: new AbortController().signal, door: 'http' as const, address: '192.0.2.7' },
  }

  it.each([
    { end: 'with its last byte', work: () => Promise.resolve(), outcome: 'done' },
    { end: 'with a failure', work: () => Promise.reject(new Error('disk')), outcome: 'failed' },
  ])('gives back at its end, $end, what it could have been stopped with', async ({ work, outcome }) => {
    const begun: Moving[] = []
    const ended: Ended[] = []
    const traffic = new Traffic()
    traffic.follow({
      begin: (_mover, moving) => (begun.push(moving), 'transfer'),
      end: (_booked, end) => void ended.push(end),
    } as TrafficLog)
    const counted = countedDownload(traffic, { principal, found, exchange })
    counted.begin()
    await counted.until(work).catch(() => undefined)
    expect(begun[0]?.stop).toBeTypeOf('function')
    expect(ended).toEqual([expect.objectContaining({ outcome, stop: begun[0]?.stop })])
  })

  it('ends when its transfer is stopped', () => {
    const stops: Array<() => void> = []
    const traffic = new Traffic()
    traffic.follow({ begin: (_mover, { stop }) => (stop && stops.push(stop), 'transfer') } as TrafficLog)
    const counted = countedDownload(traffic, { principal, found, exchange })
    counted.begin()
    expect(counted.exchange.signal.aborted).toBe(false)
    for (const stop of stops) stop()
    expect(counted.exchange.signal.aborted).toBe(true)
  })
})
