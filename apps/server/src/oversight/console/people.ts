import type { PeopleChange } from '@godwit/contract'
import { foldCase, usersSearch, usersStore, type UserRow } from '../../identity/users/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'

/** Whom a call names. @throws AppError ACCOUNT_NOT_FOUND naming the first that does not exist */
export async function peopleOf(tx: Tx, { userIds, accounts }: PeopleChange): Promise<UserRow[]> {
  const byId = await usersSearch.byIds(tx, userIds)
  if (byId.length < new Set(userIds).size) throw new AppError('ACCOUNT_NOT_FOUND')
  const found = new Map(byId.map((user) => [user.id, user]))
  for (const account of accounts) {
    const user = await usersStore.byAccountOrEmail(tx, foldCase(account))
    if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND', { account })
    found.set(user.id, user)
  }
  return [...found.values()]
}
