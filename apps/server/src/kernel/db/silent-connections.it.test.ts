import net from 'node:net'
import { sql } from 'kysely'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toAppError } from '../errors.ts'
import { connectDatabase, type Database } from './index.ts'

const LIMITS = { silentMs: 150, connectMs: 500 }

/** The way to a database server, on which everything can get lost. */
class Way {
  isCut = false
  readonly #sockets = new Set<net.Socket>()
  readonly #server: net.Server

  private constructor(port: number) {
    this.#server = net.createServer((client) => {
      const server = net.connect(port, '127.0.0.1')
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(from)
        from.on('data', (bytes) => {
          if (!this.isCut) to.write(bytes)
        })
        from.on('close', () => to.destroy())
        from.on('error', () => undefined)
      }
    })
  }

  static async to(url: URL): Promise<{ way: Way; url: string }> {
    const way = new Way(Number(url.port))
    await new Promise<void>((resolve) => way.#server.listen(0, '127.0.0.1', resolve))
    const { port } = way.#server.address() as net.AddressInfo
    const through = new URL(url)
    through.host = `127.0.0.1:${port}`
    return { way, url: through.href }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

describe('connections to a database server', () => {
  let way: Way
  let database: Database
  const one = () => sql<{ readonly one: number }>`select 1 as one`.execute(database.db)

  beforeEach(async () => {
    const opened = await Way.to(new URL(await mariadbUrl()))
    way = opened.way
    database = connectDatabase(opened.url, LIMITS)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    way.isCut = false
    await database.close()
    way.close()
  })

  it('end when its host vanished, and are made anew when it is back', { timeout: 10_000 }, async () => {
    await one()
    way.isCut = true
    const fault = await one().catch((thrown: unknown) => thrown)
    expect(toAppError(fault).code).toBe('DATABASE_UNAVAILABLE')
    const within = await database.db
      .transaction()
      .execute((tx) => sql`select 1`.execute(tx))
      .catch((thrown: unknown) => thrown)
    expect(toAppError(within).code).toBe('DATABASE_UNAVAILABLE')
    way.isCut = false
    expect((await one()).rows).toEqual([{ one: 1 }])
    expect(database.pool?.inUse).toBe(0)
  })

  it('last through a statement that takes long', async () => {
    const { rows } = await sql<{ readonly ended: number }>`select sleep(1) as ended`.execute(database.db)
    expect(rows).toEqual([{ ended: 0 }])
  })

  it('are probed after ten seconds without a statement', async () => {
    const keepAlive = vi.spyOn(net.Socket.prototype, 'setKeepAlive')
    await one()
    expect(keepAlive.mock.calls).toContainEqual([true, 10_000])
  })
})
