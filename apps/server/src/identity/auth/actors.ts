import type { Actor } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { membershipsStore } from '../memberships/index.ts'
import type { UserRow } from '../users/index.ts'

/** What an account may do now, for a session or (with '') for a grant or ticket of its own. */
export async function loadActor(db: Db, user: UserRow, sessionId: string): Promise<Actor> {
  const memberships = await membershipsStore.ofUser(db, user.id)
  return {
    userId: user.id,
    account: user.account,
    isAdmin: user.is_admin === 1,
    permission: user.permission,
    sessionId,
    home: user.home,
    quotaBytes: user.quota_bytes,
    spaceIds: memberships.map(({ space_id: spaceId }) => spaceId),
  }
}
