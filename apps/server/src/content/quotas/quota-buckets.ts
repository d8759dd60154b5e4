import { LIMITS } from '@godwit/contract'

const GROUP = 'group:'

/** What bytes of a place are booked to: the account for its personal files and virtual directories, the group for its library. */
export function bucketOf({ userId, groupId }: { readonly userId: string; readonly groupId: number }): string {
  return groupId <= LIMITS.defaultGroupId ? userId : `${GROUP}${groupId}`
}

/** Whose bytes a bucket holds: an account's in its personal files, or all of a group. */
export function holderOf(bucket: string): { readonly userId: string; readonly groupId: number } {
  const groupId = groupOfBucket(bucket)
  return groupId === undefined ? { userId: bucket, groupId: LIMITS.defaultGroupId } : { userId: '', groupId }
}

/** @returns undefined for the bucket of an account */
export function groupOfBucket(bucket: string): number | undefined {
  return bucket.startsWith(GROUP) ? Number(bucket.slice(GROUP.length)) : undefined
}
