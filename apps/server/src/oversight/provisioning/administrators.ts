import { administratorsStore } from '../../identity/administrators/index.ts'
import { usersSearch } from '../../identity/users/index.ts'
import type { Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'

/** Ids that a statement may hold, on SQLite. */
const IDS_PER_STATEMENT = 1000

/** Which of these accounts administer the site. */
export async function administratorsAmong(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
    const some = ids.slice(at, at + IDS_PER_STATEMENT)
    const byRole = await administratorsStore.among(tx, some)
    const users = await usersSearch.byIds(tx, some)
    const isOne = ({ id, is_super: isSuper, is_admin: isAdmin }: (typeof users)[number]) =>
      isSuper === 1 || isAdmin === 1 || byRole.has(id)
    found.push(...users.filter(isOne).map(({ id }) => id))
  }
  return found
}

/** People who administer the site are changed by people alone. @throws AppError PERMISSION_DENIED */
export async function requireNoAdministrator(tx: Tx, ids: readonly string[]): Promise<void> {
  if ((await administratorsAmong(tx, ids)).length > 0)
    throw new AppError('PERMISSION_DENIED', { reason: 'administrator' })
}
