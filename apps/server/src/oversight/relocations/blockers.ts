import { hasStepsOf } from '../../content/files/index.ts'
import { FOLLOWED_TYPES } from '../../content/file-events/index.ts'
import { uploadsStore } from '../../content/intake/index.ts'
import { bucketOf } from '../../content/quotas/index.ts'
import { removalsStore } from '../../content/removals/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { hasUndelivered } from '../../kernel/events/index.ts'
import { countJobs, countOpenJobs } from '../../kernel/queue/index.ts'
import type { PlaceKey } from './relocations.store.ts'

/** Why a place cannot change its storage now. Each ends by itself while the server runs. */
export type Blocker = 'jobs' | 'events' | 'uploads' | 'changes' | 'removal'

/** What every place waits for: whatever is under way knows files by the tags of the storage that they are on. */
export async function siteBlocker(db: Db): Promise<Blocker | undefined> {
  const { queued, running } = await countJobs(db)
  // A move that waits to go on finds its places switched, and has nothing to do.
  const moves = await countOpenJobs(db, 'space.move')
  if (queued + running > moves) return 'jobs'
  return (await hasUndelivered(db, ['file.committed', 'folder.made', ...FOLLOWED_TYPES])) ? 'events' : undefined
}

/** What a single place waits for. */
export async function placeBlocker(db: Db, place: PlaceKey): Promise<Blocker | undefined> {
  const { owner_id: ownerId, space_id: spaceId, group_id: groupId } = place
  if (await uploadsStore.isUnderWay(db, { ownerId, spaceId, groupId })) return 'uploads'
  if (await hasStepsOf(db, bucketOf({ userId: ownerId, groupId }))) return 'changes'
  return (await removalsStore.byId(db, ownerId))?.state === 'working' ? 'removal' : undefined
}
