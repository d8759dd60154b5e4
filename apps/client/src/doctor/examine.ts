import { open, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { once } from 'node:events'
import { type Clock, MiB } from '@godwit/base'
import { ERRORS } from '@godwit/contract'
import { ApiError } from '@godwit/sdk'
import type { Profile } from '../profiles/profile.ts'
import type { Api, Ticket } from '../server-link/api.ts'
import type { LineTest } from './line-test.ts'
import type { FindingKey } from './texts.ts'

export interface Finding {
  readonly key: FindingKey
  readonly state: 'ok' | 'warning' | 'problem'
  readonly values: Readonly<Record<string, string | number>>
}

export interface ExamineDeps {
  readonly profile: Profile
  readonly api: Pick<Api, 'account' | 'uploadTicket' | 'control'>
  readonly clock: Clock
  /** Takes downloads. */
  readonly folder: string
  readonly measure: (ticket: Ticket) => Promise<LineTest>
}

const ANSWER_MS = 15_000
const CLOCK_OFF_S = 60
const CERTIFICATE_DAYS = 14
const DAY_MS = 24 * 3_600_000
const HIGH_LOSS = 0.02
const DISK_TEST_BYTES = 64 * MiB
const SLOW_DISK_MBPS = 30

/** Looks at everything between this computer and its server, from the near to the far. */
export async function* examine(deps: ExamineDeps): AsyncGenerator<Finding> {
  yield await diskFinding(deps)
  let isThere = false
  for await (const finding of serverFindings(deps)) {
    isThere ||= finding.key === 'server-ok'
    yield finding
  }
  if (!isThere) return
  const account = await accountFinding(deps)
  yield account
  if (account.state === 'ok') yield* lineFindings(deps)
}

async function* serverFindings({ profile, clock }: ExamineDeps): AsyncGenerator<Finding> {
  const { server } = profile
  const begun = clock.monotonic()
  let response: Response
  try {
    response = await fetch(new URL('/api/site/info', server), { signal: AbortSignal.timeout(ANSWER_MS) })
  } catch (error) {
    const reason = reasonOf(error)
    const isCertificate = /CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(reason)
    const key = isCertificate ? 'certificate-refused' : 'server-unreachable'
    yield { key, state: 'problem', values: { reason } }
    return
  }
  const body = (await response.json().catch(() => undefined)) as { readonly code?: unknown } | undefined
  if (typeof body?.code !== 'number') {
    yield { key: 'server-foreign', state: 'problem', values: { status: response.status } }
    return
  }
  yield { key: 'server-ok', state: 'ok', values: { ms: Math.round(clock.monotonic() - begun) } }
  yield await certificateFinding(server, clock)
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  const seconds = Math.abs(Math.round((clock.now() - date) / 1000))
  if (seconds > CLOCK_OFF_S) yield { key: 'clock-off', state: 'warning', values: { seconds } }
  else yield { key: 'clock-ok', state: 'ok', values: {} }
}

async function certificateFinding(server: string, clock: Clock): Promise<Finding> {
  const { protocol, hostname, port } = new URL(server)
  if (protocol === 'http:') return { key: 'certificate-none', state: 'warning', values: {} }
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connectTls({ host, port: Number(port) || 443, servername: host })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) })
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - clock.now()) / DAY_MS)
    if (days < CERTIFICATE_DAYS) return { key: 'certificate-soon', state: 'warning', values: { days } }
    return { key: 'certificate-ok', state: 'ok', values: { days } }
  } catch (error) {
    return { key: 'certificate-refused', state: 'problem', values: { reason: reasonOf(error) } }
  } finally {
    socket.destroy()
  }
}

async function accountFinding({ profile, api }: ExamineDeps): Promise<Finding> {
  try {
    return { key: 'account-ok', state: 'ok', values: { account: await api.account() } }
  } catch (error) {
    const values = { reason: reasonOf(error), server: profile.server }
    return { key: 'account-refused', state: 'problem', values }
  }
}

async function* lineFindings({ api, profile, measure }: ExamineDeps): AsyncGenerator<Finding> {
  let ticket: Ticket
  try {
    ticket = await api.uploadTicket({ spaceId: 1, groupId: 0, folder: '/', name: 'godwit-client doctor' })
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 0
    if (code === ERRORS.TRANSFER_PORT_UNAVAILABLE.wire) yield { key: 'port-closed', state: 'problem', values: {} }
    else if (code === ERRORS.CLIENT_TRANSFER_NOT_ALLOWED.wire)
      yield { key: 'port-forbidden', state: 'problem', values: {} }
    else yield { key: 'upload-denied', state: 'warning', values: { reason: reasonOf(error) } }
    return
  }
  const host = ticket.host || new URL(profile.server).hostname
  const { port, packetSize: wanted } = ticket
  try {
    const line = await measure(ticket)
    yield { key: 'tcp-ok', state: 'ok', values: { host, port } }
    yield* pathFindings(line, { port, wanted })
  } catch (error) {
    yield { key: 'tcp-blocked', state: 'problem', values: { host, port, reason: reasonOf(error) } }
  } finally {
    // Nothing of it becomes visible, and the list says what it was.
    await api.control(ticket.transfer.transferId, 'cancel').catch(() => undefined)
  }
}

/** What a measured line says of itself. */
export function* pathFindings(
  line: LineTest,
  { port, wanted }: { readonly port: number; readonly wanted: number },
): Generator<Finding> {
  const mbps = Math.round(line.mbps)
  if (line.mode === 'tcp') {
    const isWanted = line.reason === 'udp-off' || line.reason === 'peer-chose'
    if (isWanted) yield { key: 'udp-off', state: 'ok', values: { mbps } }
    else yield { key: 'udp-blocked', state: 'warning', values: { mbps, port, reason: line.text } }
    return
  }
  const values = { mbps, limit: Math.round(line.limitMbps), ms: Math.round(line.rttMs) }
  yield { key: 'udp-ok', state: 'ok', values }
  const { packetSize: bytes, lossRate } = line
  if (bytes < wanted) yield { key: 'mtu-small', state: 'warning', values: { bytes, wanted } }
  else yield { key: 'mtu-ok', state: 'ok', values: { bytes } }
  const percent = (lossRate * 100).toFixed(1)
  if (lossRate > HIGH_LOSS) yield { key: 'loss-high', state: 'warning', values: { percent } }
  else yield { key: 'loss-ok', state: 'ok', values: { percent } }
}

async function diskFinding({ folder, clock }: Pick<ExamineDeps, 'folder' | 'clock'>): Promise<Finding> {
  const file = join(folder, `.godwit-doctor-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const block = Buffer.alloc(MiB, 'godwit')
    const begun = clock.monotonic()
    const handle = await open(file, 'wx', 0o600)
    try {
      for (let at = 0; at < DISK_TEST_BYTES; at += block.length) await handle.write(block, 0, block.length, at)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const seconds = Math.max(clock.monotonic() - begun, 1) / 1000
    const mbps = Math.round(DISK_TEST_BYTES / 1e6 / seconds)
    if (mbps < SLOW_DISK_MBPS) return { key: 'disk-slow', state: 'warning', values: { folder, mbps } }
    return { key: 'disk-ok', state: 'ok', values: { folder, mbps } }
  } catch (error) {
    return { key: 'disk-fault', state: 'problem', values: { folder, reason: reasonOf(error) } }
  } finally {
    await rm(file, { force: true }).catch(() => undefined)
  }
}

/** The code of the system where there is one: it can be searched for. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
