import type { ApiTokenView } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { chosenTokens, type TokenListView } from './token-list.ts'

const NOW = 1_000
const token = (name: string, expiresAt: number, lastUsedAt: number | null): ApiTokenView => ({
  id: name,
  name,
  permission: 6,
  createdAt: 0,
  expiresAt,
  lastUsedAt,
})
const TOKENS = [token('Nightly backup', 5_000, null), token('build', 900, 500), token('Archive', 3_000, 800)]

const names = (view: Partial<TokenListView>) =>
  chosenTokens(TOKENS, { filters: {}, sort: undefined, now: NOW, locale: 'en-US', ...view }).map(({ name }) => name)

describe('the list of API tokens', () => {
  it('is by name, whatever its case', () => expect(names({})).toEqual(['Archive', 'build', 'Nightly backup']))

  it('is by its end or its last use, in either direction', () => {
    expect(names({ sort: { by: 'expires', order: 'asc' } })).toEqual(['build', 'Archive', 'Nightly backup'])
    expect(names({ sort: { by: 'used', order: 'desc' } })).toEqual(['Archive', 'build', 'Nightly backup'])
  })

  it('leaves what holds the text and is valid or expired', () => {
    expect(names({ filters: { q: 'B' } })).toEqual(['build', 'Nightly backup'])
    expect(names({ filters: { state: 'expired' } })).toEqual(['build'])
    expect(names({ filters: { state: 'valid', q: 'b' } })).toEqual(['Nightly backup'])
  })
})
