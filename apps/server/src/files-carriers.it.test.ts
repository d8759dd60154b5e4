// One piece, because one running server carries all of it: what both carriers of the file operations promise.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ReadableStreamReadResult } from 'node:stream/web'
import { secureRandom, systemClock } from '@godwit/base'
import {
  ERRORS,
  fileOperations,
  FULL_PERMISSION,
  PERMISSION,
  type FileOperationName,
  type Permission,
} from '@godwit/contract'
import { naughtyStrings } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startApp, type App } from './start-app.ts'
import { createSessions, type Sessions, type TokenPair } from './identity/auth/index.ts'
import { createUser, setLocked, usersStore, type UserRow, type UsersDeps } from './identity/users/index.ts'
import { loadConfig } from './kernel/config/index.ts'
import { connectDatabase, type Database } from './kernel/db/index.ts'
import { createBus } from './kernel/events/index.ts'
import { timeOrderedIds } from './kernel/ids.ts'
import { createLog } from './kernel/log.ts'
import { BUSY_MS } from './testing/busy-machine.ts'

interface Answer {
  readonly code: number
  readonly data?: Record<string, unknown>
}

let app: App
let data: string
/** A second connection, as another process has it. */
let database: Database
let users: UsersDeps
let anna: UserRow

beforeAll(async () => {
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-carriers-'))
  const { config } = loadConfig({
    environment: { GODWIT_DATA: data, GODWIT_PORT: '0', GODWIT_STORAGE_RESERVE_BYTES: '0' },
    flags: {},
    readSecret: () => '',
  })
  app = await startApp({ config, log: createLog('silent'), web: undefined, documentation: undefined })
  database = connectDatabase(`sqlite:${path.join(data, 'godwit.db')}`)
  const bus = createBus(() => {})
  const base = { db: database.db, clock: systemClock, random: secureRandom, bus }
  users = { ...base, ids: timeOrderedIds(systemClock, secureRandom), passwordPreset: 'standard' }
  anna = await createUser(users, { account: 'anna', email: 'anna@example.org', password: 'Secret-123' })
  fs.mkdirSync(home(), { recursive: true })
})

afterAll(async () => {
  await database.close()
  await app.stop()
  fs.rmSync(data, { recursive: true, force: true })
})

function home(...parts: string[]): string {
  return path.join(data, 'files/users/anna', ...parts)
}

/** A new session of Anna's, with these rights. */
async function signIn(permission = FULL_PERMISSION): Promise<string> {
  return (await openSession(permission)).token
}

async function openSession(permission = FULL_PERMISSION): Promise<TokenPair> {
  await usersStore.update(database.db, anna.id, { permission })
  return sessions().open({ ...anna, permission }, { address: '', userAgent: '' })
}

function sessions(): Sessions {
  return createSessions({ ...users, idleMs: 600_000 })
}

async function byHttp(token: string, name: string, input: unknown): Promise<Answer> {
  const answer = await fetch(`${app.url}/api/files/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  })
  return (await answer.json()) as Answer
}

interface Line extends AsyncDisposable {
  readonly socket: WebSocket
  readonly events: Array<Record<string, unknown>>
  call(request: Record<string, unknown>): Promise<Answer>
}

async function openLine(headers: Record<string, string> = {}): Promise<Line> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ws/files`, { headers })
  await once(socket, 'open')
  const waiting = new Map<unknown, (answer: Answer) => void>()
  const events: Array<Record<string, unknown>> = []
  socket.on('message', (text: Buffer) => {
    const message = JSON.parse(text.toString()) as Answer & Record<string, unknown>
    if (message['type'] === 'event') events.push(message)
    else waiting.get(message['id'])?.(message)
  })
  let id = 0
  return {
    socket,
    events,
    call: (request) =>
      new Promise((resolve) => {
        waiting.set(++id, resolve)
        socket.send(JSON.stringify({ ...request, id }))
      }),
    [Symbol.asyncDispose]: async () => {
      socket.terminate()
      await Promise.resolve()
    },
  }
}

async function bySocket(token: string, name: string, input: unknown): Promise<Answer> {
  await using line = await openLine()
  expect((await line.call({ type: 'login', token })).code).toBe(200)
  // The line stays open until its answer is here.
  return await line.call({ type: 'call', operation: name, input })
}

const CARRIERS = { http: byHttp, socket: bySocket }

function content(token: string, file: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const url = `${app.url}/api/files/content?path=${encodeURIComponent(file)}`
  return fetch(url, { method, headers: { authorization: `Bearer ${token}`, ...headers } })
}

async function zipOf(token: string, paths: readonly string[]): Promise<Buffer> {
  const { data: ticket } = await byHttp(token, 'ticket', { paths })
  return Buffer.from(await (await fetch(app.url + String(ticket?.['url']))).arrayBuffer())
}

/** What each operation needs, with an input that is otherwise in order. */
interface Needed {
  readonly flag: Permission | undefined
  /** Where one flag is not enough. */
  readonly also?: readonly Permission[]
  readonly input: unknown
}

const NEEDS: Record<FileOperationName, Needed> = {
  list: { flag: 'list', input: { folder: '/' } },
  columns: { flag: 'list', input: { folder: '/' } },
  favorites: { flag: undefined, input: {} },
  recent: { flag: undefined, input: {} },
  favoritesIn: { flag: 'list', input: { folder: '/' } },
  mark: { flag: 'list', input: { paths: ['/a.txt'], isFavorite: false } },
  forgetRecent: { flag: undefined, input: {} },
  viewed: { flag: undefined, input: { viewId: 'none', isOver: true } },
  mkdir: { flag: 'mkdir', input: { folder: '/', name: '' } },
  rename: { flag: 'rename', input: { path: '/', oldName: 'none', newName: 'other' } },
  move: { flag: 'move', input: { paths: ['/none'], target: '/' } },
  copy: { flag: 'copy', input: { paths: ['/none'], target: '/' } },
  remove: { flag: 'delete', input: { paths: ['/none'] } },
  pack: { flag: 'upload', also: ['download', 'list'], input: { paths: ['/none'], target: '/', name: 'none.zip' } },
  unpack: { flag: 'upload', also: ['download', 'mkdir'], input: { path: '/none.zip', target: '/' } },
  attributes: { flag: 'list', input: { paths: ['/'] } },
  exists: { flag: 'list', input: { paths: ['/'] } },
  preflight: { flag: 'upload', input: { folder: '/', paths: ['none'], sizes: [1], totalBytes: 1 } },
  download: { flag: 'download', input: { paths: ['/none'] } },
  preview: { flag: 'download', input: { path: '/none' } },
  search: { flag: 'list', input: { folder: '/' } },
  recycled: { flag: 'list', input: {} },
  restore: { flag: 'upload', input: { recycleIds: ['none'] } },
  purge: { flag: 'delete', input: { recycleIds: ['none'] } },
  versions: { flag: 'list', also: ['download'], input: { path: '/none' } },
  restoreVersion: { flag: 'upload', also: ['delete'], input: { path: '/none', versionId: 'none' } },
  removeVersions: { flag: 'delete', input: { path: '/none', versionIds: ['none'] } },
  usage: { flag: 'list', input: {} },
  activity: { flag: 'list', input: { path: '/' } },
  // Who may see a job is decided by whose it is.
  job: { flag: undefined, input: { jobId: 'none' } },
  cancel: { flag: undefined, input: { jobId: 'none' } },
  undo: { flag: undefined, input: { jobId: 'none' } },
}

describe('every operation, by every carrier', () => {
  it('has a row in the table of rights', () => {
    expect(Object.keys(NEEDS).toSorted()).toEqual(Object.keys(fileOperations).toSorted())
  })
  it('is refused without its flag and not with it alone', async () => {
    const denied = ERRORS.PERMISSION_DENIED.wire
    const wrong: string[] = []
    for (const flag of new Set(Object.values(NEEDS).map((need) => need.flag))) {
      const bit = flag === undefined ? 0 : PERMISSION[flag]
      const tokens = { without: await signIn(FULL_PERMISSION & ~bit), with: '' }
      const names = Object.entries(NEEDS).filter(([, need]) => need.flag === flag)
      for (const [carrier, call] of Object.entries(CARRIERS)) {
        for (const [name, { input }] of names) {
          const { code } = await call(tokens.without, name, input)
          if ((code === denied) !== (flag !== undefined)) wrong.push(`${name} by ${carrier} without ${flag}: ${code}`)
        }
      }
      const alone = await signIn(bit)
      const withOthers = (others: readonly Permission[]): Promise<string> =>
        signIn(others.reduce((set, other) => set | PERMISSION[other], bit))
      for (const [carrier, call] of Object.entries(CARRIERS)) {
        for (const [name, { input, also }] of names) {
          const only = also === undefined ? alone : await withOthers(also)
          if ((await call(only, name, input)).code === denied) wrong.push(`${name} by ${carrier} with ${flag} alone`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
  it('is refused without a session, with another kind of credential and after sign-out', async () => {
    const token = await signIn()
    const { data: ticket } = await byHttp(token, 'ticket', { paths: ['/'] })
    for (const bearer of ['', 'x', String(ticket?.['ticket']), anna.id]) {
      expect((await byHttp(bearer, 'list', { folder: '/' })).code).toBe(ERRORS.TOKEN_INVALID.wire)
      await using line = await openLine()
      expect((await line.call({ type: 'login', token: bearer })).code).toBe(ERRORS.TOKEN_INVALID.wire)
      expect((await line.call({ type: 'call', operation: 'list', input: { folder: '/' } })).code).toBe(
        ERRORS.TOKEN_INVALID.wire,
      )
    }
  })
})

describe('names', () => {
  it('on the list of naughty strings come back byte-equal by http, socket and zip, or are refused (SECURITY, row 20)', async () => {
    const token = await signIn()
    await byHttp(token, 'mkdir', { folder: '/', name: 'naughty' })
    await using line = await openLine()
    await line.call({ type: 'login', token })
    const made: string[] = []
    for (const [at, name] of naughtyStrings().entries()) {
      const input = { folder: '/naughty', name }
      const answer =
        at % 2 === 0
          ? await byHttp(token, 'mkdir', input)
          : await line.call({ type: 'call', operation: 'mkdir', input })
      if (answer.code === 200) made.push(name.normalize('NFC'))
      else expect([400, 5101, 5104, 5106], `${JSON.stringify(name)}: ${answer.code}`).toContain(answer.code)
    }
    expect(made.length).toBeGreaterThan(100)
    const wanted = made.toSorted()
    const listed = await byHttp(token, 'columns', { folder: '/naughty' })
    expect(namesOf(listed).toSorted()).toEqual(wanted)
    const spoken = await line.call({ type: 'call', operation: 'columns', input: { folder: '/naughty' } })
    expect(namesOf(spoken).toSorted()).toEqual(wanted)
    expect(zipNames(await zipOf(token, ['/naughty'])).toSorted()).toEqual(
      ['naughty/', ...made.map((name) => `naughty/${name}/`)].toSorted(),
    )
  })
  it('are found in NFC and NFD, and do not clash in case', async () => {
    const token = await signIn()
    fs.writeFileSync(home('re\u0301sume\u0301.txt'), 'from a Mac')
    await byHttp(token, 'list', { folder: '/' })
    expect(await (await content(token, '/r\u00e9sum\u00e9.txt')).text()).toBe('from a Mac')
    expect((await byHttp(token, 'mkdir', { folder: '/', name: 'R\u00c9SUM\u00c9.TXT' })).code).toBe(
      ERRORS.NAME_CASE_CLASH.wire,
    )
    expect((await byHttp(token, 'mkdir', { folder: '/', name: 'r\u00e9sum\u00e9.txt' })).code).toBe(
      ERRORS.PATH_EXISTS.wire,
    )
  })
  it('of which two differ only in case are never both made, even at once', async () => {
    const token = await signIn()
    const names = Array.from({ length: 16 }, (_, at) =>
      [...'twin'].map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
    )
    const codes = await Promise.all(
      names.map(async (name) => (await byHttp(token, 'mkdir', { folder: '/', name })).code),
    )
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
  })
  it('of which two differ only in case are never both moved into a folder, even at once', async () => {
    const token = await signIn()
    for (let turn = 0; turn < 10; turn++) {
      fs.mkdirSync(home(`moved-${turn}`))
      const names = ['Twin.txt', 'twin.txt', 'TWIN.txt']
      for (const [at, name] of names.entries()) {
        fs.mkdirSync(home(`from-${turn}-${at}`))
        fs.writeFileSync(home(`from-${turn}-${at}`, name), name)
      }
      const moves = names.map((name, at) =>
        byHttp(token, 'move', { paths: [`/from-${turn}-${at}/${name}`], target: `/moved-${turn}` }),
      )
      await Promise.all(moves)
      await expect.poll(() => fs.readdirSync(home(`moved-${turn}`)).length).toBe(1)
      const left = names.filter((name, at) => fs.existsSync(home(`from-${turn}-${at}`, name)))
      expect(left).toHaveLength(2)
    }
  })
})

describe('links that somebody put into the storage', () => {
  it('are not listed, read, packed or deleted through (SECURITY, row 07)', async () => {
    const token = await signIn()
    const outside = path.join(data, 'canary')
    fs.writeFileSync(outside, 'secret')
    fs.mkdirSync(home('links'))
    fs.symlinkSync(outside, home('links/file'))
    fs.symlinkSync(data, home('links/folder'))
    expect((await byHttp(token, 'list', { folder: '/links' })).data?.['items']).toEqual([])
    expect((await content(token, '/links/file')).status).toBe(400)
    expect((await content(token, '/links/folder/canary')).status).toBe(400)
    expect(zipNames(await zipOf(token, ['/links']))).toEqual(['links/', 'Not in this archive.txt'])
    await byHttp(token, 'remove', { paths: ['/links'] })
    expect(fs.readFileSync(outside, 'utf8')).toBe('secret')
  })
})

describe('contents', () => {
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))

  it('come whole, in ranges, by version and as headers alone', async () => {
    const token = await signIn()
    fs.writeFileSync(home('content.bin'), body)
    const whole = await content(token, '/content.bin')
    expect(Buffer.from(await whole.arrayBuffer()).equals(body)).toBe(true)
    expect(whole.headers.get('content-security-policy')).toContain('sandbox')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename=content.bin')
    const etag = whole.headers.get('etag') ?? ''
    const part = await content(token, '/content.bin', { range: 'bytes=1000-1999', 'if-range': etag })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(body.subarray(1000, 2000))).toBe(true)
    expect((await content(token, '/content.bin', { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200)
    expect((await content(token, '/content.bin', { 'if-none-match': etag })).status).toBe(304)
    expect((await content(token, '/content.bin', { range: 'bytes=300000-' })).status).toBe(416)
    const head = await content(token, '/content.bin', {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
  })
  it('of a selection are a clean zip, with empty folders and names that are taken twice', async () => {
    const token = await signIn()
    fs.mkdirSync(home('pack/empty'), { recursive: true })
    fs.mkdirSync(home('pack/文件'))
    fs.writeFileSync(home('pack/文件/same.txt'), body)
    fs.writeFileSync(home('pack/same.txt'), 'other')
    const zip = await zipOf(token, ['/pack', '/pack/same.txt', '/pack/文件/same.txt'])
    const file = path.join(data, 'selection.zip')
    fs.writeFileSync(file, zip)
    execFileSync('unzip', ['-t', file])
    expect(zipNames(zip).toSorted()).toEqual(
      [
        'pack/',
        'pack/empty/',
        'pack/same.txt',
        'pack/文件/',
        'pack/文件/same.txt',
        'same (1).txt',
        'same.txt',
      ].toSorted(),
    )
  })
  it('that break off never end as a whole zip', async () => {
    const token = await signIn()
    fs.mkdirSync(home('torn'))
    fs.writeFileSync(home('torn/a'), '')
    fs.truncateSync(home('torn/a'), 256 * 2 ** 20)
    const { data: ticket } = await byHttp(token, 'ticket', { paths: ['/torn'] })
    const { body: stream } = await fetch(app.url + String(ticket?.['url']))
    const reader = stream?.getReader()
    const read = async (): Promise<ReadableStreamReadResult<Uint8Array> | undefined> => reader?.read()
    // The file is open by now: what is read behind its head are its bytes.
    for (let bytes = 0; bytes < 2 ** 20;) bytes += (await read())?.value?.length ?? 2 ** 20
    fs.truncateSync(home('torn/a'), 1000)
    const drain = async (): Promise<void> => {
      while ((await read())?.done === false);
    }
    await expect(drain()).rejects.toThrow('terminated')
  })
  it('say in a zip what is not in it, and hold no name that a system takes for a path', async () => {
    const token = await signIn()
    fs.mkdirSync(home('odd/below'), { recursive: true })
    fs.writeFileSync(home('odd/C:evil.txt'), 'x')
    fs.writeFileSync(home('odd/below/hard'), 'x')
    fs.linkSync(home('odd/below/hard'), path.join(data, 'second-name'))
    fs.symlinkSync('/etc/passwd', home('odd/link'))
    fs.writeFileSync(Buffer.concat([Buffer.from(`${home('odd')}/bad-`), Buffer.of(0xff)]), 'x')
    const zip = await zipOf(token, ['/odd'])
    const file = path.join(data, 'odd.zip')
    fs.writeFileSync(file, zip)
    const names = zipNames(zip)
    expect(names.map((name) => name.replace(/~[0-9a-f]{6}/, '~tag')).toSorted()).toEqual(
      ['Not in this archive.txt', 'odd/', 'odd/C_evil~tag.txt', 'odd/below/'].toSorted(),
    )
    const text = execFileSync('unzip', ['-p', file, 'Not in this archive.txt'], { encoding: 'utf8' })
    expect(text.trim().split('\r\n').slice(2).toSorted()).toEqual(['/odd/below: 1', '/odd: 2'].toSorted())
  })
})

describe('the file socket', () => {
  it('survives hostile frames and closes on them', async () => {
    const frames = [
      '',
      '{',
      '[]',
      '{"type":"login"}',
      '{"type":"call","id":1e99}',
      '{"__proto__":{"type":"ping"}}',
      'x'.repeat(5_000),
      Buffer.from([1, 2]),
    ]
    for (const frame of frames) {
      await using line = await openLine()
      const closed = once(line.socket, 'close')
      line.socket.send(frame)
      expect((await closed)[0]).toBe(4400)
    }
    await using line = await openLine()
    const closed = once(line.socket, 'close')
    line.socket.send('x'.repeat(9 * 1024 * 1024))
    // The reset may overtake the closing frame while we are still sending.
    expect([1006, 1009]).toContain((await closed)[0])
    expect((await byHttp(await signIn(), 'list', { folder: '/' })).code).toBe(200)
  })
  it('takes no page of another site', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ws/files`, {
      headers: { origin: 'https://evil.example' },
    })
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(answer.statusCode).toBe(403)
  })
  it('reports changes by others in a watched folder, also those made behind the server', async () => {
    const token = await signIn()
    await using line = await openLine()
    await line.call({ type: 'login', token })
    expect((await line.call({ type: 'watch', folder: '/' })).code).toBe(200)
    const told = () => line.events.filter(({ event }) => event === 'folder.changed')
    await byHttp(token, 'mkdir', { folder: '/', name: 'told' })
    await expect.poll(() => told().length, { timeout: 60_000 }).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 4_500))
    const before = told().length
    fs.writeFileSync(home('behind'), '')
    await expect.poll(() => told().length, { timeout: 60_000 }).toBeGreaterThan(before)
    expect(told()[0]).toMatchObject({ event: 'folder.changed', folder: '/' })
  })
  it('answers what is asked of a folder once its watch is open, so that no change falls between both', async () => {
    await using line = await openLine()
    await line.call({ type: 'login', token: await signIn() })
    const answered: string[] = []
    const ask = async (name: string, request: Record<string, unknown>) => {
      await line.call(request)
      answered.push(name)
    }
    await Promise.all([
      ask('watch', { type: 'watch', folder: '/' }),
      // Refused before it reads anything, so it would be answered first.
      ask('call', { type: 'call', operation: 'unknown', input: { folder: '/' } }),
    ])
    expect(answered).toEqual(['watch', 'call'])
  })
  it('takes the renewed token of its session, and no other one', async () => {
    const first = await openSession()
    await using line = await openLine()
    await line.call({ type: 'login', token: first.token })
    const second = await sessions().refresh(first.refreshToken)
    expect((await line.call({ type: 'login', token: second.token })).code).toBe(200)
    expect((await line.call({ type: 'call', operation: 'list', input: { folder: '/' } })).code).toBe(200)
    const other = await line.call({ type: 'login', token: await signIn() })
    expect(other).toMatchObject({ code: ERRORS.PARAMETER_INVALID.wire, data: { rule: 'signed in already' } })
    expect(line.socket.readyState).toBe(line.socket.OPEN)
  })
  it('ends with 4401 within 5 s when another process locks the account (SECURITY, row 18)', async () => {
    const token = await signIn()
    await using line = await openLine()
    await line.call({ type: 'login', token })
    const closed = once(line.socket, 'close')
    const lockedAt = performance.now()
    await setLocked(users, anna, true)
    expect((await closed)[0]).toBe(4401)
    expect(performance.now() - lockedAt).toBeLessThan(5_000 + BUSY_MS)
    expect((await byHttp(token, 'list', { folder: '/' })).code).toBe(ERRORS.TOKEN_INVALID.wire)
    await setLocked(users, anna, false)
  })
})

function namesOf(answer: Answer): string[] {
  return (answer.data?.['names'] ?? []) as string[]
}

/** Names in the directory of an archive. */
function zipNames(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.indexOf(Buffer.from('PK\u0001\u0002')); at >= 0 && zip.readUInt32LE(at) === 0x0201_4b50;) {
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
    names.push(zip.toString('utf8', at + 46, at + 46 + name))
    at += 46 + name + extra + comment
  }
  return names
}
