import { LIMITS } from '@godwit/contract'
import { personalHome } from '../../content/access/index.ts'
import { groupHome } from '../../content/groups/index.ts'
import { bucketOf, versionsStore } from '../../content/quotas/index.ts'
import { recycledOf } from '../../content/recycle/index.ts'
import { removalsStore } from '../../content/removals/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { PlaceKey } from './relocations.store.ts'

/** A file, or a folder with all below it, by its key. */
export interface PlaceTree {
  readonly key: string
  /** What a file is known to hash to, where that is not recorded with its key. */
  readonly hash?: string
}

/** Key of the root of a place; undefined when nobody knows whose it is. */
export async function rootOf(db: Db, { owner_id, space_id: spaceId, group_id: groupId }: PlaceKey) {
  if (groupId !== LIMITS.defaultGroupId) return groupHome({ spaceId, groupId })
  const { home } = (await usersStore.byId(db, owner_id)) ?? (await removalsStore.byId(db, owner_id)) ?? {}
  return home === undefined ? undefined : personalHome(home, spaceId)
}

/** Everything that a place has on its storage: its files, their earlier contents, and what was deleted from it. */
export async function* treesOf(db: Db, place: PlaceKey, root: string): AsyncGenerator<PlaceTree, void, void> {
  yield { key: root }
  const { owner_id: userId, space_id: spaceId, group_id: groupId } = place
  const bucket = bucketOf({ userId, groupId })
  for await (const rows of versionsStore.ofPlace(db, { bucket, spaceId, groupId }))
    for (const { version_key: key, hash } of rows) yield { key, hash }
  for await (const rows of recycledOf(db, { ownerId: userId, spaceId, groupId }))
    for (const { storage_key: key } of rows) yield { key }
}
