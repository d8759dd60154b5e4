import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GiB } from '@godwit/base'
import { launchMariadb } from '@godwit/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../cli/exit-codes.ts'
import { openSite, type Site } from './testing/sites.ts'
import { UPGRADE } from './testing/sockets.ts'

/** What connections are doing when the server is told to stop. */
const BEGINNINGS: Readonly<Record<string, (token: string) => string>> = {
  'readers of a large file': (token) =>
    `GET /api/files/content?path=/big.bin HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  'readers of a zip': (token) =>
    `GET /api/files/content?path=/folder HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  'connections that say nothing': () => '',
  'headers that never end': () => 'GET / HTTP/1.1\r\nHost: x\r\n',
  'bodies that never end': (token) =>
    `POST /api/files/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  'websockets of strangers': () => `${UPGRADE}\r\n`,
  'refused upgrades': () => `${UPGRADE}Origin: http://elsewhere.test\r\n\r\n`,
  'uploads under way': (token) =>
    `POST /api/uploads/pack?folder=%2F HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/octet-stream\r\nContent-Length: 100000\r\n\r\nabc`,
}

/** How they are left: some hang up before the stop, some while it runs, some half, some never. */
const LEAVING: ReadonlyArray<(socket: net.Socket) => void> = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end(),
  () => undefined,
]

const READERS = 500
const OTHERS = 20

function openAll(site: Site, token: string): net.Socket[] {
  const { hostname, port } = new URL(site.url)
  return Object.entries(BEGINNINGS).flatMap(([name, beginning]) =>
    Array.from({ length: name === 'readers of a large file' ? READERS : OTHERS }, () => {
      const connection = { host: hostname, port: Number(port), allowHalfOpen: true }
      const socket = net.connect(connection, () => socket.write(beginning(token)))
      socket.on('error', () => undefined)
      // Answers pile up unread.
      socket.pause()
      return socket
    }),
  )
}

/** Milliseconds from the opening to the stop, and from then until the connections are left; negative: before the stop. */
const ROUNDS: ReadonlyArray<{ readonly open: number; readonly left: number }> = [
  { open: 100, left: 0 },
  { open: 1_000, left: -20 },
  { open: 1_000, left: 300 },
  { open: 8_000, left: -1_000 },
]

/** A database that neither answers nor refuses: its connections cannot be closed in order. */
async function stopWithFrozenDatabase(): Promise<{ readonly code: number | null; readonly output: string }> {
  const mariadb = await launchMariadb()
  await using site = await openSite({ databaseUrl: await mariadb.database('frozen') })
  process.kill(mariadb.pid, 'SIGSTOP')
  const { code } = await site.godwit.end('SIGTERM')
  await mariadb.stop()
  return { code, output: site.godwit.output() }
}

describe('a server that is told to stop', () => {
  // It only waits, so it does so beside the others.
  let frozen: ReturnType<typeof stopWithFrozenDatabase>
  beforeAll(() => {
    frozen = stopWithFrozenDatabase()
    // Its own test reports what went wrong.
    frozen.catch(() => undefined)
  })

  it.for(ROUNDS)(
    'ends with code 0, whatever 640 connections were doing: open for $open ms, left at $left ms',
    async ({ open, left }, { annotate }) => {
      await using site = await openSite()
      const { token } = await site.signIn('admin')
      const home = site.home('admin')
      fs.mkdirSync(home, { recursive: true })
      fs.writeFileSync(path.join(home, 'big.bin'), '')
      fs.truncateSync(path.join(home, 'big.bin'), GiB)
      fs.mkdirSync(path.join(home, 'folder'))
      fs.linkSync(path.join(home, 'big.bin'), path.join(home, 'folder/big.bin'))
      const sockets = openAll(site, token)
      const leave = (): void => {
        for (const [index, socket] of sockets.entries()) LEAVING[index % LEAVING.length]?.(socket)
      }
      await sleep(open)
      if (left < 0) leave()
      await sleep(Math.max(0, -left))
      const begun = performance.now()
      const ending = site.godwit.end('SIGTERM')
      await sleep(Math.max(0, left))
      if (left >= 0) leave()
      const { code, signal } = await ending
      await annotate(`the stop took ${Math.round(performance.now() - begun)} ms`)
      expect({ code, signal }, site.godwit.output().slice(-4_000)).toEqual({ code: 0, signal: null })
      for (const socket of sockets) socket.destroy()
    },
  )

  it('that hangs in a step says so and ends with code 7 after 20 s', async () => {
    const { code, output } = await frozen
    expect(code).toBe(EXIT.stuck)
    expect(output).toMatch(/"step":"(jobs|events|database|process)".*stopping took longer/)
  })
})
