import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ClientCommand } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { holdLine, type LineEnd } from './client-line.ts'

interface Said {
  readonly type: string
  readonly [field: string]: unknown
}

const HELLO = { type: 'answer', id: 1, code: 200, data: { client: { upgradeFailure: null } } }
const SYNC = { name: 'sync', direction: 'upload', spaceId: 1, groupId: 0, folder: '/in', path: '/home/mei', restMs: 0 }
const DOWNLOAD = { name: 'download', spaceId: 1, groupId: 0, paths: ['/a'] }

describe('the connection of a client', () => {
  let server: WebSocketServer
  let stopping: AbortController
  let ended: Promise<LineEnd>
  let obeyed: ClientCommand[]
  let ignored: string[]
  let heard: Said[]
  /** What the server sends at once. */
  const open = async (...first: readonly unknown[]): Promise<WebSocket> => {
    const connection = once(server, 'connection')
    ended = holdLine({
      ...{ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't', signal: stopping.signal },
      introduction: {
        ...{ version: '1.0.0', platform: 'linux', deviceId: 'a-device', deviceName: '', spaceId: 1, canAsk: false },
      },
      prepare: () => Promise.resolve(),
      connected: () => undefined,
      upgrades: { current: () => Promise.resolve(null), changes: new EventTarget() },
      obey(command) {
        obeyed.push(command)
        return Promise.resolve({ success: true, outcome: 'queued' })
      },
      ignored: (what) => ignored.push(what),
    })
    const [socket] = (await connection) as [WebSocket]
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as Said))
    for (const each of first) socket.send(typeof each === 'string' ? each : JSON.stringify(each))
    return socket
  }
  const answers = (): readonly Said[] => heard.filter(({ type }) => type === 'done')

  beforeEach(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    stopping = new AbortController()
    ;[obeyed, ignored, heard] = [[], [], []]
  })
  afterEach(async () => {
    stopping.abort()
    await ended
    server.close()
  })

  it('goes on after answers and events that are none', async () => {
    const answer = { type: 'answer', id: 1, code: 200 }
    await open(
      ...['', 'null', '[]', '{"type":"answer"}', { type: 'event', event: 'session.ended', reason: {} }],
      ...[answer, { ...answer, data: null }, { ...answer, data: { client: 'none' } }],
      ...[
        { ...answer, code: 'x' },
        { ...answer, code: 5000, message: { text: 'x' } },
        { type: 'command', id: 'x' },
      ],
      HELLO,
    )
    // It is told to a server alone that knows it.
    await expect.poll(() => heard.filter(({ type }) => type === 'upgrade')).toHaveLength(1)
    expect(ignored).toEqual(['message'])
    stopping.abort()
    expect(await ended).toEqual({ code: 1000, refusal: 0, message: '' })
  })

  it('keeps what a server says when it refuses', async () => {
    const socket = await open({ type: 'answer', id: 1, code: 5506, message: 'too many' })
    socket.close(4429)
    expect(await ended).toEqual({ code: 4429, refusal: 5506, message: 'too many' })
  })

  it('refuses each command that is not as it should be, and obeys the next one', async () => {
    const { restMs: _, ...endless } = SYNC
    const wrong: readonly unknown[] = [
      ...[null, 'sync', {}, { name: 'toString' }, { name: 'mine-coins' }, { name: 'setSpace', spaceId: 2 ** 60 }],
      ...[{ ...SYNC, direction: 'twoWay' }, { ...SYNC, direction: null }, { ...SYNC, path: 7 }, endless],
      ...[
        { ...SYNC, folder: ['/in'] },
        { ...SYNC, spaceId: '1' },
        { ...SYNC, groupId: -1 },
      ],
      ...[
        { ...DOWNLOAD, paths: 'abc' },
        { ...DOWNLOAD, paths: [] },
        { ...DOWNLOAD, paths: [1] },
      ],
      ...[
        { ...DOWNLOAD, name: 'upload', folder: '/in', pick: 'all' },
        { name: 'upgrade', version: '../1', isAuto: true },
      ],
    ]
    const right = [SYNC, DOWNLOAD, { ...SYNC, direction: 'download', more: 'of a newer server' }]
    await open(...[...wrong, ...right].map((command, id) => ({ type: 'command', id, command })))
    await expect.poll(answers).toHaveLength(wrong.length + right.length)
    const refused = answers().filter(({ success }) => success === false)
    expect(refused).toEqual(wrong.map((_, id) => ({ type: 'done', id, success: false, outcome: 'refused' })))
    expect(obeyed).toEqual([SYNC, DOWNLOAD, { ...SYNC, direction: 'download' }])
    expect(ignored).toEqual(['command'])
  })

  it('takes a folder for one that is sent, from a server that knows no other direction', async () => {
    const { direction: _, ...older } = SYNC
    await open({ type: 'command', id: 1, command: older })
    await expect.poll(() => obeyed).toEqual([SYNC])
  })
})
