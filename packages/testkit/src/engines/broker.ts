import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchAzurite, type Azurite } from '../process-launchers/azurite.launcher.ts'
import { launchMariadb, type Mariadb } from '../process-launchers/mariadb.launcher.ts'
import { launchRedis, type Redis } from '../process-launchers/redis.launcher.ts'
import { launchRadosgw, type Radosgw } from '../process-launchers/radosgw.launcher.ts'

/** Starts an engine when a test first requests it, and returns the same one to all later requests. */
export interface Broker {
  readonly url: string
  stop(): Promise<void>
}

export async function startBroker(): Promise<Broker> {
  let mariadb: Promise<Mariadb> | undefined
  let radosgw: Promise<Radosgw> | undefined
  let redis: Promise<Redis> | undefined
  let azurite: Promise<Azurite> | undefined
  const answer = async (path: string): Promise<object> => {
    if (path === '/s3') {
      const { endpoint, accessKeyId, secretAccessKey } = await (radosgw ??= launchRadosgw())
      return { endpoint, accessKeyId, secretAccessKey }
    }
    if (path === '/azure') {
      const { endpoint, account, accountKey } = await (azurite ??= launchAzurite())
      return { endpoint, account, accountKey }
    }
    if (path === '/redis') return { url: (await (redis ??= launchRedis())).url }
    const engine = await (mariadb ??= launchMariadb())
    return { url: await engine.database(path.replace('/mysql/', '')) }
  }
  const server = createServer((request, reply) => {
    answer(request.url ?? '').then(
      (found) => reply.end(JSON.stringify(found)),
      (error: unknown) => reply.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close()
      // An engine that did not start has reported why to the test that requested it; nothing is left to stop.
      await Promise.allSettled([mariadb, radosgw, redis, azurite].map(async (engine) => (await engine)?.stop()))
    },
  }
}
