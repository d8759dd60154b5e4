import { secureRandom, systemClock } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StorageError } from '../errors.ts'
import { startGoogleService, type GoogleService } from '../testing/google-service.ts'
import { objectStoreSuite } from '../testing/object-store-suite.ts'
import { parseCredentials } from './gcs-key.ts'
import { openGcsStore } from './gcs-store.ts'

function openAt(service: GoogleService, bucket = service.bucket) {
  const credentials = parseCredentials(service.credentials)
  if (credentials === undefined) throw new Error('these are credentials')
  return openGcsStore({
    endpoint: service.endpoint,
    bucket,
    prefix: 'files',
    credentials,
    random: secureRandom,
    clock: systemClock,
  })
}

objectStoreSuite({
  name: 'gcs (stand-in)',
  async open() {
    const service = await startGoogleService()
    const store = openAt(service)
    const close = async (): Promise<void> => {
      await store[Symbol.asyncDispose]()
      await service.close()
    }
    return { store, close }
  },
})

describe('a bucket of Google', () => {
  let service: GoogleService
  beforeAll(async () => {
    service = await startGoogleService()
  })
  afterAll(() => service.close())

  it('is asked again while it is busy', async () => {
    await using store = openAt(service)
    service.failNext(2)
    await expect(store.createFolder('a')).resolves.toMatchObject({ kind: 'folder' })
  })

  it('names a bucket that is missing, and a key that is not that of the account', async () => {
    await using store = openAt(service, 'nobody')
    const listed = async () => {
      for await (const _page of store.list('')) break
    }
    const error = await listed().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StorageError)
    expect(error).toMatchObject({ reason: 'unreachable', cause: { name: 'NoSuchBucket' } })
    const other = await startGoogleService()
    await using stranger = openAt({
      ...service,
      credentials: other.credentials.replace(other.endpoint, service.endpoint),
    })
    await expect(stranger.stat('a')).rejects.toMatchObject({ reason: 'permission', cause: { name: 'InvalidToken' } })
    await other.close()
  })

  it('joins more parts than one call takes', async () => {
    await using store = openAt(service)
    const size = 70
    const upload = { ...(await store.createUpload({ key: 'many', size })), partSize: 1 }
    for (let index = 0; index < size; index++)
      await store.writePart(
        upload,
        { index, offset: index, length: 1 },
        (async function* () {
          yield await Promise.resolve(Buffer.from([index]))
        })(),
      )
    await store.completeUpload(upload, { size, conflict: 'fail' })
    await using reader = await store.openRead('many')
    const bytes: number[] = []
    for await (const chunk of reader.stream()) bytes.push(...chunk)
    expect(bytes).toEqual(Array.from({ length: size }, (_, at) => at))
  })

  it.each(['', '{}', '[]', 'null', '{"client_email": 1}', '{"client_email": "a", "private_key": "b"}'])(
    'knows that %j are no credentials',
    (text) => expect(parseCredentials(text)).toBeUndefined(),
  )
})
