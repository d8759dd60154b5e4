import { LIMITS } from '@godwit/contract'
import type { Storages } from '../../foundation/storages/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { storeOf, type PlaceResolver } from '../access/index.ts'
import { bucketOf } from '../quotas/index.ts'

/**
 * The library of a group, for its members. The membership is read at every step, so whoever leaves the group or its space has
 * nothing there from then on.
 * @throws AppError NO_SPACE; GROUP_NOT_FOUND, the same for no member, another space's group and none at all
 */
export function groupPlaces({
  db,
  storages,
}: {
  readonly db: Db
  readonly storages: Storages
}): PlaceResolver<'group'> {
  return async (principal, { spaceId, groupId }) => {
    const { spaceIds, cap } = accountOf(principal)
    if (!spaceIds.includes(spaceId)) throw new AppError('NO_SPACE')
    const membership = await groupsStore.membership(db, { userId: principal.id, spaceId, groupId })
    if (membership === undefined) throw new AppError('GROUP_NOT_FOUND')
    const ids = { spaceId, groupId }
    return {
      ids,
      store: await storeOf(storages, { userId: principal.id, ...ids }),
      rootKey: groupHome(ids),
      grants: {
        given: [{ subject: { kind: 'group', id: String(groupId) }, prefix: '/', flags: membership.permission }],
        caps: cap === undefined ? [] : [cap],
        rules: [],
        isAdministrator: membership.is_admin === 1,
        quotaBuckets: [bucketOf({ userId: principal.id, groupId }), `space:${spaceId}`],
      },
    }
  }
}

/** Named by number: a group that is renamed keeps its folder, and no later group comes into it. */
export function groupHome({ spaceId, groupId }: { readonly spaceId: number; readonly groupId: number }): string {
  const home = `groups/${groupId}`
  return spaceId === LIMITS.defaultSpaceId ? home : `spaces/${spaceId}/${home}`
}
