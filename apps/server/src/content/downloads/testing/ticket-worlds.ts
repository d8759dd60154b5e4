import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { secureRandom } from '@godwit/base'
import { storageError } from '../../../foundation/storages/index.ts'
import { createTickets } from '../../../identity/tickets/index.ts'
import { createLog } from '../../../kernel/log.ts'
import { keepFilesInBucket } from '../../../testing/bucket-storages.ts'
import { userPrincipal } from '../../../testing/principals.ts'
import { callerCtx, openWorld, openWorldStorages } from '../../../testing/worlds.ts'
import { createFiles } from '../../files/index.ts'
import { Traffic } from '../../traffic/index.ts'
import { checksumLanes } from '../archive-checksums.ts'
import { createSender } from '../downloads.send.ts'
import type { StillShown } from '../still-shown.ts'
import { issueTicket, sendContent, type DownloadsDeps, type Wanted } from '../downloads.service.ts'

const PLACE = { spaceId: 1, groupId: 0 }
const principal = userPrincipal()

export interface Downloaded {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

export type TicketWorld = Awaited<ReturnType<typeof openTicketWorld>>

/** A server that sends what was chosen last, over a real storage and a real database. */
export async function openTicketWorld({ isBucket = false, mostEntries = 1_000 } = {}) {
  const world = await openWorld()
  const bucket = isBucket ? await keepFilesInBucket({ GODWIT_DATA: world.folder }) : undefined
  const storages = await openWorldStorages(world)
  const { clock, database } = world
  const renew: DownloadsDeps['renew'] = (renewed) => Promise.resolve(renewed)
  const files = createFiles({ ...world, storages, db: database.db, log: createLog('silent'), rulesOf: () => [] })
  const forbidden = new Set<string>()
  let meanwhile = (_start: number): Promise<void> => Promise.resolve()
  const deps: DownloadsDeps = {
    files,
    sender: createSender(clock),
    speeds: { paceOf: () => () => undefined },
    state: { pausedAt: () => undefined, requireOpen: () => undefined },
    requireWeb: () => Promise.resolve(),
    report: ({ start }) => meanwhile(start),
    traffic: new Traffic(),
    tickets: createTickets({ db: database.db, clock, random: secureRandom }, { purpose: 'download', renew }),
    zips: { db: database.db, clock, lanes: checksumLanes(), mostEntries },
    renew,
  }
  let wanted: Wanted
  const server = http.createServer((req, res) => {
    const gone = new AbortController()
    res.once('close', () => gone.abort(new Error('the reader went away')))
    const caller = { locale: 'en-US', door: 'http', address: '127.0.0.1' } as const
    const isStillShown: StillShown = ({ path }) => !forbidden.has(path)
    const exchange = { req, res, signal: gone.signal, ...caller, isStillShown }
    sendContent(deps, wanted, exchange).catch((thrown: unknown) => {
      const { code, status } = storageError(thrown) as Error & { readonly code?: string; readonly status?: number }
      if (res.headersSent) res.destroy()
      else res.writeHead(code === 'RANGE_INVALID' ? 416 : (status ?? 500)).end(code)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const locate = (path: string) => files.access.open({ principal }, { kind: 'personal', spaceId: 1 }, path, 'download')
  return {
    deps,
    url,
    folder: world.folder,
    /** Runs after the entries were looked at and before the first byte. */
    before(work: (start: number) => Promise<void>): void {
      meanwhile = work
    },
    /** Downloads under way may not go on with it. */
    forbid(path: string): void {
      forbidden.add(path)
    },
    async put(path: string, content: string | Uint8Array, modifiedMs = 1_000_000): Promise<void> {
      const { store, key } = await locate(path)
      await store.ensureFolder(key.slice(0, key.lastIndexOf('/')))
      await store.writeFiles([{ key, content: Buffer.from(content), modifiedMs }], { conflict: 'replace' })
    },
    async makeFolder(path: string): Promise<void> {
      const { store, key } = await locate(path)
      await store.ensureFolder(key)
    },
    async remove(path: string): Promise<void> {
      const { store, key } = await locate(path)
      await store.remove(key)
    },
    async choose(...paths: readonly string[]): Promise<void> {
      const { ticket } = await issueTicket(deps, { ...callerCtx(), principal }, { ...PLACE, paths: [...paths] })
      wanted = await deps.tickets.redeem(ticket)
    },
    async download(headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Downloaded> {
      const answer = await fetch(url, { headers, method })
      return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.close()
      server.closeAllConnections()
      await storages.close()
      await bucket?.store[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}
