import { fakeClock, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { timeOrderedIds } from '../../kernel/ids.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { TransferBooks } from './transfer-books.ts'

const PATH = '/plan.pdf'

function newBooks(): TransferBooks {
  const clock = fakeClock()
  const ids = timeOrderedIds(clock, seededRandom(1))
  // It is asked for one thing alone, which no test here does.
  return new TransferBooks({ db: undefined as unknown as Db, clock, ids, lifeMs: 1_000 })
}

describe('the books of a transfer', () => {
  const principal = { kind: 'api-token', id: 'mei', apiTokenId: 't' } as unknown as AccountPrincipal
  const mover = { principal, door: 'http', address: '192.0.2.7', userAgent: 'curl' } as const
  const download = { direction: 'download', spaceId: 1, groupId: 0, path: PATH, files: 1, size: 9, tag: 'v1' } as const

  it('hold what stops a download until it ends, however it does', () => {
    const books = newBooks()
    const outcomes = [
      { outcome: 'done' },
      { outcome: 'left' },
      { outcome: 'failed', code: 'STORAGE_UNREACHABLE' },
      { outcome: 'done' },
    ] as const
    const stops = outcomes.map(() => () => undefined)
    const [id = ''] = new Set(stops.map((stop) => books.begin(mover, { ...download, stop })))
    const booked = { transfer_id: id, user_id: 'mei' }
    expect([...(books.find(id)?.stops ?? [])]).toEqual(stops)
    for (const [at, stop] of stops.entries())
      books.end(booked, { path: PATH, tag: 'v1', stop, ...(outcomes[at] ?? outcomes[0]) })
    expect(books.find(id)?.stops.size).toBe(0)
  })
})
