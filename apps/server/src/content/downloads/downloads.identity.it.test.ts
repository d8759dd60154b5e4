import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storageError, type Storages } from '../../foundation/storages/index.ts'
import { createTickets } from '../../identity/tickets/index.ts'
import { createLog } from '../../kernel/log.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { callerCtx, openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { Traffic } from '../traffic/index.ts'
import { createFiles, type FilesDeps } from '../files/index.ts'
import { createSender } from './downloads.send.ts'
import { issueTicket, sendContent, type DownloadsDeps, type Wanted } from './downloads.service.ts'

const KINDS = [
  { name: 'a local storage', isBucket: false },
  { name: 'a bucket', isBucket: true },
]
const PLACE = { spaceId: 1, groupId: 0 }
const principal = userPrincipal()

describe.each(KINDS)('the ticket for a zip, on $name', ({ isBucket }) => {
  let world: World
  let storages: Storages
  let bucket: TemporaryBucket | undefined
  let files: FilesDeps
  let deps: DownloadsDeps
  let server: http.Server
  let folder: string
  let wanted: Wanted
  /** Runs after the entries were looked at and before the first byte. */
  let meanwhile: () => Promise<void>

  beforeAll(async () => {
    world = await openWorld()
    bucket = isBucket ? await keepFilesInBucket({ GODWIT_DATA: world.folder }) : undefined
    storages = await openWorldStorages(world)
    const { clock, bus, database } = world
    files = createFiles({ ...world, storages, db: database.db, log: createLog('silent'), rulesOf: () => [] })
    deps = {
      files,
      sender: createSender(clock),
      speeds: { paceOf: () => () => undefined },
      state: { pausedAt: () => undefined, requireOpen: () => undefined },
      requireWeb: () => Promise.resolve(),
      report: () => meanwhile(),
      traffic: new Traffic(),
      tickets: createTickets({ clock, random: secureRandom, bus }),
      renew: (renewed) => Promise.resolve(renewed),
    }
    server = http.createServer((req, res) => {
      const { signal } = new AbortController()
      const exchange = { req, res, signal, locale: 'en-US', door: 'http', address: '127.0.0.1' } as const
      sendContent(deps, wanted, exchange).catch((thrown: unknown) => {
        const { code } = storageError(thrown) as Error & { readonly code?: string }
        if (!res.headersSent) res.writeHead(409)
        res.end(code)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }, 60_000)
  afterAll(async () => {
    server.close()
    await storages.close()
    await bucket?.store[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const locate = (name: string) =>
    files.access.open({ principal }, { kind: 'personal', spaceId: 1 }, `${folder}/${name}`, 'download')
  const put = async (name: string, content: string, modifiedMs: number) => {
    const { store, key } = await locate(name)
    await store.ensureFolder(key.slice(0, key.lastIndexOf('/')))
    await store.writeFiles([{ key, content: Buffer.from(content), modifiedMs }], { conflict: 'replace' })
  }
  const remove = async (name: string) => {
    const { store, key } = await locate(name)
    await store.remove(key)
  }
  /** What is under the names now is not what was chosen, though its size and its name are the same. */
  const remakeAll = async () => {
    for (const name of ['a.txt', 'inside']) await remove(name)
    // The age of a folder of a bucket is in whole seconds.
    if (isBucket) await new Promise((resolve) => setTimeout(resolve, 1_000))
    await put('a.txt', 'other', 2_000_000)
    await put('inside/b.txt', 'other', 2_000_000)
  }
  const choose = async (...names: string[]) => {
    const paths = names.map((name) => `${folder}/${name}`)
    const { ticket } = await issueTicket(deps, { ...callerCtx(), principal }, { ...PLACE, paths })
    wanted = deps.tickets.redeem(ticket)
  }
  const download = async () => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
  }
  const namesIn = (body: Buffer) => {
    const archive = path.join(world.folder, 'archive.zip')
    fs.writeFileSync(archive, body)
    return execFileSync('unzip', ['-Z1', archive], { encoding: 'utf8' }).trim().split('\n').toSorted()
  }

  beforeEach(async () => {
    folder = `/${Buffer.from(secureRandom.fill(new Uint8Array(8))).toString('hex')}`
    meanwhile = () => Promise.resolve()
    await put('a.txt', 'first', 1_000_000)
    await put('c.txt', 'third', 1_000_000)
    await put('inside/b.txt', 'first', 1_000_000)
  })

  it('sends what was chosen, also when files came into a chosen folder since', async () => {
    await choose('a.txt', 'inside')
    await put('inside/later.txt', 'later', 2_000_000)
    const { status, body } = await download()
    expect(status).toBe(200)
    expect(namesIn(body)).toEqual(['a.txt', 'inside/', 'inside/b.txt', 'inside/later.txt'])
  })

  it.each([[['a.txt', 'c.txt']], [['inside']]])('refuses %j when one of them was made again', async (names) => {
    await choose(...names)
    await remakeAll()
    expect(await download()).toEqual({ status: 409, body: Buffer.from('FILE_CHANGED') })
  })

  it('leaves out, and says so, what is made again before its turn', async () => {
    await choose('c.txt', 'a.txt', 'inside')
    meanwhile = remakeAll
    const { status, body } = await download()
    expect(status).toBe(200)
    expect(namesIn(body)).toEqual(['Not in this archive.txt', 'c.txt'])
    expect(body.includes('other')).toBe(false)
  })
})
