import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { S3Bucket } from './s3-bucket.ts'

const ENTRY = { key: 'a', kind: 'file', size: 10, modifiedMs: 0, etag: 'tag' } as const

describe('a service that falls silent', () => {
  const ends: Array<() => Promise<void>> = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  async function bucketOf(answer: RequestListener): Promise<S3Bucket> {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const bucket = await S3Bucket.open({
      ...{
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        region: 'us-east-1',
        pathStyle: true,
      },
      ...{ bucket: 'some', prefix: '', accessKeyId: 'key', secretAccessKey: 'secret', conditionalWrites: true },
      silenceMs: 100,
    })
    ends.push(async () => {
      bucket.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return bucket
  }

  it('before it answers has gone away', async () => {
    const bucket = await bucketOf(() => undefined)
    await expect(bucket.head('a')).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('in the middle of a file has gone away', async () => {
    const bucket = await bucketOf((_request, reply) => {
      reply.writeHead(206, { 'content-length': 10, etag: '"tag"' })
      reply.write('half ')
    })
    const reading = Array.fromAsync(bucket.read(ENTRY, { start: 0, end: 10 }))
    await expect(reading).rejects.toMatchObject({ reason: 'unreachable' })
  })
})
