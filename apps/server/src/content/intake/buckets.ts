import type { PlaceIds } from '../access/index.ts'
import { bucketOf } from '../quotas/index.ts'
import type { BatchRow, UploadRow } from './intake.schema.ts'

/** What the bytes of an upload or a batch are booked to. */
export function bucketOfRow(row: Pick<UploadRow | BatchRow, 'user_id' | 'group_id'>): string {
  return bucketOf({ userId: row.user_id, groupId: row.group_id })
}

/** Where an upload goes. */
export function placeIdsOfRow({
  space_id: spaceId,
  group_id: groupId,
}: Pick<UploadRow, 'space_id' | 'group_id'>): PlaceIds {
  return { spaceId, groupId }
}
