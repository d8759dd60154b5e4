import type { Random } from '@godwit/base'
import { bucketStore } from '../bucket/bucket-store.ts'
import type { ObjectStore } from '../object-store.ts'
import { GcsBucket, type GcsOptions } from './gcs-bucket.ts'

/** Opens a bucket of Google Cloud Storage, or a prefix of one, as a store. The bucket must exist. */
export function openGcsStore({ random, ...options }: GcsOptions & { readonly random: Random }): ObjectStore {
  return bucketStore(new GcsBucket(options), random)
}
