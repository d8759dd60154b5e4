import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { randomHex, secureRandom } from '@godwit/base'
import type { ObjectStore } from '../object-store.ts'
import { openS3Store } from '../s3/s3-store.ts'

/** Where a service answers; path-style addresses, any region. */
export interface S3Account {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A store on a new bucket of a real service. */
export async function temporaryBucket({ endpoint, ...credentials }: S3Account): Promise<ObjectStore> {
  const bucket = `godwit-${randomHex(secureRandom, 8)}`
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  const place = { endpoint, region: 'us-east-1', bucket, prefix: 'files', pathStyle: true, conditionalWrites: false }
  return openS3Store({ ...credentials, ...place, random: secureRandom })
}
