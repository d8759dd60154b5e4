import type { OperationReply } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { placeOf, type PlaceIds } from '../access/index.ts'
import { bucketOf, versionBytes } from '../quotas/index.ts'
import { recycledBytes } from '../recycle/index.ts'
import type { VersionsDeps } from './versions.upkeep.ts'

/** What the bytes booked for a place are. @throws AppError PERMISSION_DENIED */
export async function usageOf(
  { db, files, quotas }: VersionsDeps,
  ctx: UserCtx,
  { spaceId, groupId }: PlaceIds,
): Promise<OperationReply<'usage'>> {
  await files.access.open(ctx, placeOf({ spaceId, groupId }), '/', 'list')
  const owner = { userId: ctx.principal.id, groupId }
  const [usage, recycled, versions] = await Promise.all([
    quotas.usageOf(bucketOf(owner)),
    recycledBytes(db, owner),
    versionBytes(db, owner),
  ])
  return { ...usage, recycledBytes: recycled, versionBytes: versions }
}
