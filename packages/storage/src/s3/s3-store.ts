import type { Random } from '@godwit/base'
import { bucketStore } from '../bucket/bucket-store.ts'
import type { ObjectStore } from '../object-store.ts'
import { S3Bucket, type S3Options } from './s3-bucket.ts'

/** Opens a bucket, or a prefix of one, as a store. The bucket must exist. @throws StorageError 'unreachable', 'permission' */
export async function openS3Store(options: S3Options & { readonly random: Random }): Promise<ObjectStore> {
  return bucketStore(await S3Bucket.open(options), options.random)
}
