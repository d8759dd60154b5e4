import { s3Access } from '@godwit/testkit/engines'
import { objectStoreSuite } from '../testing/object-store-suite.ts'
import { temporaryBucket } from '../testing/temporary-bucket.ts'

objectStoreSuite({
  name: 's3 (Ceph)',
  async open() {
    const store = await temporaryBucket(await s3Access())
    return { store, close: async () => store[Symbol.asyncDispose]() }
  },
})
