import type { Account } from '../identity/principals/index.ts'
import type { UserPrincipal } from '../kernel/principal.ts'

/** A user who may do everything in space 1, for services under test. */
export function userPrincipal(
  change: { readonly id?: string; readonly sessionId?: string } & Partial<Account> = {},
): UserPrincipal {
  const { id = 'u', sessionId = '', ...account } = change
  return {
    kind: 'user',
    id,
    sessionId,
    account: {
      account: 'alice',
      isAdmin: false,
      permission: 8191,
      home: 'users/alice',
      quotaBytes: null,
      spaceIds: [1],
      ...account,
    },
  }
}
