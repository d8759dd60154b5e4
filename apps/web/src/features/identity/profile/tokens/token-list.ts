import type { ApiTokenView } from '@godwit/contract'
import type { ListSort } from '../../../../lib/list-address.ts'

export const TOKEN_STATES = ['valid', 'expired'] as const

export interface TokenListView {
  /** `q`: text in the name; `state`: one of {@link TOKEN_STATES}. */
  readonly filters: Readonly<Record<string, string>>
  readonly sort: ListSort | undefined
  /** Unix milliseconds. */
  readonly now: number
  readonly locale: string
}

/** The tokens that the filters leave, in their order. An account has at most twenty, so the page has them all. */
export function chosenTokens(
  tokens: readonly ApiTokenView[],
  { filters: { q = '', state = '' }, sort, now, locale }: TokenListView,
): readonly ApiTokenView[] {
  const wanted = q.toLocaleLowerCase()
  const sign = sort?.order === 'desc' ? -1 : 1
  return tokens
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .filter(({ expiresAt }) => state === '' || (state === 'expired') === expiresAt <= now)
    .toSorted((left, right) => sign * order(left, right, { by: sort?.by, locale }))
}

function order(
  left: ApiTokenView,
  right: ApiTokenView,
  { by, locale }: { readonly by: string | undefined; readonly locale: string },
): number {
  if (by === 'expires') return left.expiresAt - right.expiresAt
  if (by === 'used') return (left.lastUsedAt ?? 0) - (right.lastUsedAt ?? 0)
  return left.name.localeCompare(right.name, locale)
}
