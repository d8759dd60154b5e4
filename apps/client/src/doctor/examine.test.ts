import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@godwit/base'
import { ERRORS } from '@godwit/contract'
import { ApiError } from '@godwit/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api, Ticket } from '../server-link/api.ts'
import { examine, type Finding, pathFindings } from './examine.ts'
import type { LineTest } from './line-test.ts'

const LINE: LineTest = {
  ...{ mode: 'udp', reason: 'udp-open', text: '', mbps: 99.6, limitMbps: 100 },
  ...{ rttMs: 12.4, lossRate: 0.001, packetSize: 1442 },
}
const TICKET = { transfer: { transferId: 't' }, host: '', port: 9, packetSize: 1442 } as unknown as Ticket

describe('godwit-client doctor', () => {
  let folder = ''
  let body = '{"code":200}'
  let date: string | undefined
  const server = createServer((_req, res) => {
    if (date !== undefined) res.setHeader('date', date)
    res.end(body)
  })
  let url = ''
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-doctor-'))
    body = '{"code":200}'
    date = undefined
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true })
  })

  const run = async (change: {
    readonly server?: string
    readonly folder?: string
    readonly account?: () => Promise<string>
    readonly ticket?: () => Promise<Ticket>
    readonly measure?: () => Promise<LineTest>
  }): Promise<{ readonly found: readonly Finding[]; readonly cancelled: readonly string[] }> => {
    const cancelled: string[] = []
    const api: Pick<Api, 'account' | 'uploadTicket' | 'control'> = {
      account: change.account ?? (() => Promise.resolve('mei')),
      uploadTicket: change.ticket ?? (() => Promise.resolve(TICKET)),
      control: (id, action) => {
        cancelled.push(`${action} ${id}`)
        return Promise.reject(new Error('gone'))
      },
    }
    const found: Finding[] = []
    const profile = { server: change.server ?? url, account: 'mei', token: 't' }
    const measure = change.measure ?? (() => Promise.resolve(LINE))
    const deps = { profile, api, clock: systemClock, folder: change.folder ?? folder, measure }
    for await (const finding of examine(deps)) found.push(finding)
    return { found, cancelled }
  }
  const keys = (found: readonly Finding[]): readonly string[] => found.map(({ key }) => key)

  it('finds all well, and leaves no transfer behind', async () => {
    const { found, cancelled } = await run({})
    expect(keys(found).slice(1)).toEqual([
      ...['server-ok', 'certificate-none', 'clock-ok', 'account-ok', 'tcp-ok', 'udp-ok', 'mtu-ok', 'loss-ok'],
    ])
    expect(cancelled).toEqual(['cancel t'])
    expect(found.every(({ state }) => state !== 'problem')).toBe(true)
  })

  it('ends where nothing answers, or something else than the server', async () => {
    const silent = await run({ server: 'http://127.0.0.1:1' })
    expect(silent.found.at(-1)).toMatchObject({ key: 'server-unreachable', state: 'problem' })
    body = '<html>'
    expect((await run({})).found.at(-1)).toMatchObject({ key: 'server-foreign', values: { status: 200 } })
  })

  it('reports a sign-in that does not count, a port that is off, a way that is forbidden and a port out of reach', async () => {
    const refusal = (name: keyof typeof ERRORS) => new ApiError({ message: 'no', code: ERRORS[name].wire, status: 400 })
    const last = async (change: Parameters<typeof run>[0]): Promise<Finding | undefined> =>
      (await run(change)).found.at(-1)
    const account = (): Promise<string> => Promise.reject(refusal('TOKEN_INVALID'))
    expect((await last({ account }))?.key).toBe('account-refused')
    for (const [name, key] of [
      ['TRANSFER_PORT_UNAVAILABLE', 'port-closed'],
      ['CLIENT_TRANSFER_NOT_ALLOWED', 'port-forbidden'],
      ['PERMISSION_DENIED', 'upload-denied'],
    ] as const)
      expect((await last({ ticket: () => Promise.reject(refusal(name)) }))?.key).toBe(key)
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const { found, cancelled } = await run({ measure: () => Promise.reject(refused) })
    expect(found.at(-1)).toEqual({
      ...{ key: 'tcp-blocked', state: 'problem' },
      values: { host: '127.0.0.1', port: 9, reason: 'ECONNREFUSED' },
    })
    expect(cancelled).toEqual(['cancel t'])
  })

  it('reports a clock that is wrong, and a folder that takes no downloads', async () => {
    date = new Date(Date.now() - 3_600_000).toUTCString()
    writeFileSync(join(folder, 'file'), '')
    const { found } = await run({ folder: join(folder, 'file') })
    expect(found[0]).toMatchObject({ key: 'disk-fault', state: 'problem' })
    expect(found.find(({ key }) => key === 'clock-off')?.state).toBe('warning')
  })

  it('tells blocked UDP from UDP that nobody wants, small packets and loss', () => {
    const of = (change: Partial<LineTest>): readonly string[] =>
      keys([...pathFindings({ ...LINE, ...change }, { port: 9, wanted: 1442 })])
    expect(of({ mode: 'tcp', reason: 'udp-blocked' })).toEqual(['udp-blocked'])
    expect(of({ mode: 'tcp', reason: 'udp-off' })).toEqual(['udp-off'])
    expect(of({ packetSize: 1200, lossRate: 0.05 })).toEqual(['udp-ok', 'mtu-small', 'loss-high'])
  })
})
