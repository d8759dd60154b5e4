import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { randomHex, secureRandom } from '@godwit/base'
import type { ObjectStore } from '../object-store.ts'
import type { S3Options } from '../s3/s3-bucket.ts'
import { openS3Store } from '../s3/s3-store.ts'

/** Where a service answers; path-style addresses, any region. */
export interface S3Account {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface TemporaryBucket {
  readonly name: string
  /** How to open it once more. */
  readonly options: S3Options
  /** The part of it below `files/`. */
  readonly store: ObjectStore
  /** Deletes the bucket with everything in it, behind the back of whoever uses it. */
  readonly destroy: () => Promise<void>
}

/** A new bucket of a real service. */
export async function openBucket({ endpoint, ...credentials }: S3Account): Promise<TemporaryBucket> {
  const name = `godwit-${randomHex(secureRandom, 8)}`
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
  const destroy = () =>
    destroyBucket(new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials }), name)
  const place = { region: 'us-east-1', bucket: name, prefix: 'files', pathStyle: true, conditionalWrites: false }
  const options = { ...credentials, endpoint, ...place }
  return { name, options, store: await openS3Store({ ...options, random: secureRandom }), destroy }
}

async function destroyBucket(client: S3Client, Bucket: string): Promise<void> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
  for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }))
  await client.send(new DeleteBucketCommand({ Bucket }))
  client.destroy()
}

/** A store on a new bucket of a real service. */
export async function temporaryBucket(account: S3Account): Promise<ObjectStore> {
  return (await openBucket(account)).store
}
