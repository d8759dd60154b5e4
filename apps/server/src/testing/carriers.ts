import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { FULL_PERMISSION } from '@godwit/contract'
import { afterAll, beforeAll } from 'vitest'
import { WebSocket } from 'ws'
import { startApp, type App } from '../start-app.ts'
import { createSessions, type Sessions, type TokenPair } from '../identity/auth/index.ts'
import { createUser, setLocked, usersStore, type UserRow, type UsersDeps } from '../identity/users/index.ts'
import { loadConfig } from '../kernel/config/index.ts'
import { connectDatabase, type Database } from '../kernel/db/index.ts'
import { createBus } from '../kernel/events/index.ts'
import { timeOrderedIds } from '../kernel/ids.ts'
import { createLog } from '../kernel/log.ts'

export interface Answer {
  readonly code: number
  readonly data?: Record<string, unknown>
}

export interface Line extends AsyncDisposable {
  readonly socket: WebSocket
  readonly events: Array<Record<string, unknown>>
  call(request: Record<string, unknown>): Promise<Answer>
}

/** A server with Anna's account, and both carriers of the file operations to it. It runs for the tests of the file that calls this. */
export function carriersSite() {
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

  async function openLine(): Promise<Line> {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ws/files`)
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

  return {
    ...{ home, signIn, openSession, sessions, byHttp, openLine },
    url: (): string => app.url,
    /** In the folder of the server's data. */
    inData: (...parts: string[]): string => path.join(data, ...parts),
    annaId: (): string => anna.id,
    /** As another process locks and unlocks the account. */
    setAnnaLocked: (isLocked: boolean) => setLocked(users, anna, isLocked),
  }
}
