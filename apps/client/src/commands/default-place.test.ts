import { ApiError } from '@godwit/sdk'
import type { TransferResult } from '@godwit/transfer'
import { describe, expect, it } from 'vitest'
import type { Ticket } from '../server-link/api.ts'
import type { TransferParts } from '../transfers/upload.ts'
import type { Context, SignedIn } from './context.ts'
import { inDefaultPlace } from './default-place.ts'

const RESULT = {} as TransferResult

interface Case {
  readonly named?: number
  readonly known?: number
  /** Where the account works now. */
  readonly now: number
  /** What the ticket says of that; undefined by an older server. */
  readonly told?: number
  /** Spaces in which there is no ticket, and why. */
  readonly refusals?: Readonly<Record<number, Error>>
}

/** @returns the spaces of tickets, what was asked besides, and what is kept */
async function ran({ named, known, now, told, refusals = {} }: Case) {
  const log: string[] = []
  let kept = known
  const context = {
    options: { spaceId: named, groupId: 7 },
    profiles: { spaceOf: async () => kept, keepSpace: async (_who: unknown, spaceId: number) => void (kept = spaceId) },
  } as unknown as Context
  const user = {
    profile: { server: 'https://one', account: 'mei', token: '' },
    api: { defaultSpace: async () => (log.push('asked'), now) },
  } as unknown as SignedIn
  const run = async (
    { spaceId, groupId }: { readonly spaceId: number; readonly groupId: number },
    confirm: TransferParts['confirm'],
  ): Promise<TransferResult> => {
    log.push(`ticket in ${spaceId}/${groupId}`)
    const refusal = refusals[spaceId]
    if (refusal !== undefined) throw refusal
    await confirm?.({ ...(told === undefined ? {} : { defaultSpaceId: told }) } as Ticket)
    return RESULT
  }
  const result = await inDefaultPlace(context, user, run).catch((error: unknown) => error)
  return { log, kept, result }
}

describe('a command without a space', () => {
  const refusal = (code: number): ApiError => new ApiError({ message: 'no', code, status: 400 })

  it('asks once, and then takes the space of the last time', async () => {
    expect(await ran({ now: 2, told: 2 })).toEqual({ log: ['asked', 'ticket in 2/7'], kept: 2, result: RESULT })
    expect(await ran({ known: 2, now: 2, told: 2 })).toEqual({ log: ['ticket in 2/7'], kept: 2, result: RESULT })
  })

  it('begins anew in the space that the account works in by now', async () => {
    const log = ['ticket in 1/7', 'ticket in 2/7']
    expect(await ran({ known: 1, now: 2, told: 2 })).toEqual({ log, kept: 2, result: RESULT })
  })

  it('asks where a server does not say it with the ticket', async () => {
    expect((await ran({ known: 2, now: 2 })).log).toEqual(['ticket in 2/7', 'asked'])
    expect((await ran({ known: 1, now: 2 })).log).toEqual(['ticket in 1/7', 'asked', 'ticket in 2/7'])
  })

  it('asks where it is given no ticket, and says why when the space was the right one', async () => {
    const gone = { 1: refusal(5100) }
    const log = ['ticket in 1/7', 'asked', 'ticket in 2/7']
    expect(await ran({ known: 1, now: 2, told: 2, refusals: gone })).toEqual({ log, kept: 2, result: RESULT })
    expect((await ran({ known: 1, now: 1, told: 1, refusals: gone })).result).toBe(gone[1])
    // Without an answer nobody knows.
    const away = { 1: refusal(0) }
    expect(await ran({ known: 1, now: 2, refusals: away })).toEqual({
      log: ['ticket in 1/7'],
      kept: 1,
      result: away[1],
    })
  })

  it('takes a named one as it is, and keeps nothing of it', async () => {
    expect(await ran({ named: 3, now: 2 })).toEqual({ log: ['ticket in 3/7'], kept: undefined, result: RESULT })
  })
})
