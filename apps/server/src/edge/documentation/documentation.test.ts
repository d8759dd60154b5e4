import fastify from 'fastify'
import { expect, it } from 'vitest'
import { documentationPages } from './index.ts'

it('reads the contract once for all who ask, and again after a failure', async () => {
  let reads = 0
  const server = fastify()
  const openApi = async (): Promise<Buffer> => {
    reads += 1
    if (reads === 1) throw new Error('the disk is busy')
    return Buffer.from('{"openapi":"3.1.0"}')
  }
  await server.register(documentationPages({ documents: async () => [], openApi, explorerRoot: import.meta.dirname }))
  const ask = async (): Promise<number> => (await server.inject('/api/openapi.json')).statusCode
  expect(await ask()).toBe(500)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200])
  expect(reads).toBe(2)
  await server.close()
})
