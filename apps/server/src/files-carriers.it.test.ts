import { once } from 'node:events'
import fs from 'node:fs'
import {
  ERRORS,
  fileOperations,
  FULL_PERMISSION,
  PERMISSION,
  type FileOperationName,
  type Permission,
} from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { BUSY_MS } from './testing/busy-machine.ts'
import { carriersSite, type Answer } from './testing/carriers.ts'

const { annaId, byHttp, home, openLine, openSession, sessions, setAnnaLocked, signIn, url } = carriersSite()

async function bySocket(token: string, name: string, input: unknown): Promise<Answer> {
  await using line = await openLine()
  expect((await line.call({ type: 'login', token })).code).toBe(200)
  // The line stays open until its answer is here.
  return await line.call({ type: 'call', operation: name, input })
}

const CARRIERS = { http: byHttp, socket: bySocket }

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
    for (const bearer of ['', 'x', String(ticket?.['ticket']), annaId()]) {
      expect((await byHttp(bearer, 'list', { folder: '/' })).code).toBe(ERRORS.TOKEN_INVALID.wire)
      await using line = await openLine()
      expect((await line.call({ type: 'login', token: bearer })).code).toBe(ERRORS.TOKEN_INVALID.wire)
      expect((await line.call({ type: 'call', operation: 'list', input: { folder: '/' } })).code).toBe(
        ERRORS.TOKEN_INVALID.wire,
      )
    }
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
    const socket = new WebSocket(`${url().replace('http', 'ws')}/ws/files`, {
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
    await setAnnaLocked(true)
    expect((await closed)[0]).toBe(4401)
    expect(performance.now() - lockedAt).toBeLessThan(5_000 + BUSY_MS)
    expect((await byHttp(token, 'list', { folder: '/' })).code).toBe(ERRORS.TOKEN_INVALID.wire)
    await setAnnaLocked(false)
  })
})
