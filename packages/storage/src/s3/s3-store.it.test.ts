import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { randomHex, secureRandom } from '@godwit/base'
import { s3Access } from '@godwit/testkit/engines'
import { objectStoreSuite } from '../testing/object-store-suite.ts'
import { openS3Store } from './s3-store.ts'

objectStoreSuite({
  name: 's3 (Ceph)',
  async open() {
    const access = await s3Access()
    const bucket = `godwit-${randomHex(secureRandom, 8)}`
    const { endpoint, ...credentials } = access
    const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    client.destroy()
    const store = await openS3Store({
      ...access,
      region: 'us-east-1',
      bucket,
      prefix: 'files',
      pathStyle: true,
      conditionalWrites: false,
      random: secureRandom,
    })
    return { store, close: async () => store[Symbol.asyncDispose]() }
  },
})
