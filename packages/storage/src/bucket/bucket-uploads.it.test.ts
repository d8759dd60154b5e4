import { secureRandom, systemClock } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StorageError, type StorageReason } from '../errors.ts'
import { GcsBucket } from '../gcs/gcs-bucket.ts'
import { parseCredentials } from '../gcs/gcs-key.ts'
import { startGoogleService, type GoogleService } from '../testing/google-service.ts'
import { inChunks, readAll, someBytes } from '../testing/sources.ts'
import { bucketStore } from './bucket-store.ts'
import type { Bucket } from './bucket.ts'

const SIZE = 100

describe('an upload to a bucket', () => {
  let service: GoogleService
  beforeAll(async () => {
    service = await startGoogleService()
  })
  afterAll(() => service.close())

  /** A store whose client sends a completion a second time, which the service refuses. */
  function repeating(reason: StorageReason, isDone: boolean) {
    const credentials = parseCredentials(service.credentials) ?? expect.fail('these are credentials')
    const place = { endpoint: service.endpoint, bucket: service.bucket, prefix: 'files', clock: systemClock }
    const bucket = new GcsBucket({ ...place, credentials })
    const completeMultipart: Bucket['completeMultipart'] = async (...request) => {
      if (isDone) await bucket.completeMultipart(...request)
      throw new StorageError(reason)
    }
    const repeated = new Proxy<Bucket>(bucket, {
      get(target, name) {
        if (name === 'completeMultipart') return completeMultipart
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
    return bucketStore(repeated, secureRandom)
  }

  async function replace(store: ReturnType<typeof repeating>, key: string) {
    await store.writeFiles([{ key, content: someBytes(SIZE, 1) }], { conflict: 'fail' })
    const upload = await store.createUpload({ key, size: SIZE })
    await store.writePart(upload, { index: 0, offset: 0, length: SIZE }, inChunks(someBytes(SIZE, 2)))
    return store.completeUpload(upload, { size: SIZE, conflict: 'replace' })
  }

  it.each(['exists', 'upload-gone', 'upload-failed', 'conflict'] as const)(
    'is complete when its completion was done, and refused as %s when it was sent again',
    async (reason) => {
      await using store = repeating(reason, true)
      expect(await replace(store, `done-${reason}`)).toMatchObject({ kind: 'file', size: SIZE })
      await using reader = await store.openRead(`done-${reason}`)
      expect(await readAll(reader)).toEqual(someBytes(SIZE, 2))
    },
  )

  it('is refused when nothing was done', async () => {
    await using store = repeating('upload-gone', false)
    await expect(replace(store, 'refused')).rejects.toMatchObject({ reason: 'upload-gone' })
    await using reader = await store.openRead('refused')
    expect(await readAll(reader)).toEqual(someBytes(SIZE, 1))
  })
})
