import { describe, expect, it } from 'vitest'
import type { Api } from '../../../lib/http.ts'
import { idOfAccount } from './account-id.ts'

interface Query {
  readonly text?: string
  readonly account?: string
  readonly size?: number
}

/** Answers as the server does: by account, a page at a time. */
function apiOf(accounts: readonly string[]): Api {
  const list = ({ text = '', account, size = 10 }: Query) =>
    accounts
      .filter((each) => each.includes(text) && (account === undefined || each === account.toLowerCase()))
      .toSorted()
      .slice(0, size)
      .map((each) => ({ id: `id of ${each}`, account: each }))
  const call = async (_route: unknown, { query }: { readonly query: Query }) => ({ rows: list(query) })
  return { call } as unknown as Api
}

describe('an account that becomes an administrator', () => {
  const api = apiOf(['an', ...Array.from({ length: 60 }, (_, at) => `adriana_${at}`)])

  it('is found by its whole name, however many others contain it', async () => {
    await expect(idOfAccount(api, ' An ')).resolves.toBe('id of an')
  })

  it('is not found by a part of its name', async () => {
    await expect(idOfAccount(api, 'adriana')).rejects.toMatchObject({ name: 'ACCOUNT_NOT_FOUND' })
  })
})
