import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { encodePassword, type TransferTicket, type TransferView } from '@godwit/contract'
import type { EngineEvents, ReceiveTask, SendTask, Source, Target } from '@godwit/transfer'
import { receiveFiles, sendFiles } from '@godwit/transfer'
import { channelClientTls, channelOfTicket, parseTicket } from '@godwit/transfer/endpoints'
import { createRateLimit } from '@godwit/transport/core'
import { connect, type Connection, systemMicros, type UdpChoice } from '@godwit/transport/node'
import { runCli } from '../../../cli/run.ts'
import { loadConfig } from '../../../kernel/config/index.ts'
import { createLog } from '../../../kernel/log.ts'
import { ask, signIn, type Answer } from '../../../security/testing/wire.ts'
import { startApp, type App } from '../../../start-app.ts'

/** Of every account of the site. */
export const SITE_PASSWORD = 'Sunrise-42x'
const NOW = (): number => performance.now()

/** A server in this process, and what a client does with it. */
export class TransferSite implements AsyncDisposable {
  readonly data: string
  readonly #environment: Readonly<Record<string, string>>
  #app: App
  token = ''

  private constructor(environment: Readonly<Record<string, string>>, app: App) {
    this.data = environment['GODWIT_DATA'] ?? ''
    this.#environment = environment
    this.#app = app
  }

  /** @param prepare runs before the first start */
  static async open(more: Readonly<Record<string, string>>, prepare?: (data: string) => Promise<void>) {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-transfers-'))
    const environment = {
      ...{ GODWIT_DATA: data, GODWIT_PORT: '0', GODWIT_ADMIN_ACCOUNT: 'admin', GODWIT_ADMIN_PASSWORD: SITE_PASSWORD },
      ...more,
    }
    await prepare?.(data)
    const site = new TransferSite(environment, await start(environment))
    site.token = (await signIn(site.url, 'admin', SITE_PASSWORD)).token
    return site
  }

  get url(): string {
    return this.#app.url
  }

  async restart(): Promise<void> {
    await this.#app.stop()
    this.#app = await start(this.#environment)
    this.token = (await signIn(this.url, 'admin', SITE_PASSWORD)).token
  }

  /** The operator's command, in a process of its own as far as the server can see. */
  cli(words: string): Promise<number> {
    const print = (): void => undefined
    const signal = new AbortController().signal
    const io = {
      stdout: print,
      stderr: print,
      environment: this.#environment,
      clock: systemClock,
      random: secureRandom,
    }
    return runCli(words.split(' '), { ...io, signal })
  }

  post(route: string, json: object = {}, token = this.token): Promise<Answer> {
    return ask(this.url, { method: 'POST', path: `/api/${route}`, token, json })
  }

  async uploadTicket(folder = '/'): Promise<TransferTicket> {
    return (await this.post('transfers/upload', { folder })).data as unknown as TransferTicket
  }

  async downloadTicket(...paths: readonly string[]): Promise<TransferTicket> {
    return (await this.post('transfers/download', { paths })).data as unknown as TransferTicket
  }

  async transfers(): Promise<readonly TransferView[]> {
    const { data } = await ask(this.url, { path: '/api/transfers', token: this.token })
    return (data as unknown as { readonly items: readonly TransferView[] }).items
  }

  /** A new account, signed in. */
  async signInNew(account: string): Promise<string> {
    const file = path.join(this.data, 'password')
    fs.writeFileSync(file, SITE_PASSWORD)
    if ((await this.cli(`user add --account ${account} --password-file ${file}`)) !== 0) throw new Error('no account')
    return (await signIn(this.url, account, SITE_PASSWORD)).token
  }

  /** A new API token of whoever `person` is the session of. */
  async apiToken(permission: number, person: string): Promise<{ readonly token: string; readonly id: string }> {
    const password = encodePassword(SITE_PASSWORD)
    const { data } = await this.post('user/api-tokens', { name: 'program', permission, days: 30, password }, person)
    const { token, apiToken } = data as unknown as {
      readonly token: string
      readonly apiToken: { readonly id: string }
    }
    return { token, id: apiToken.id }
  }

  /** Sets the speed of an account in both directions. @param mbps 0: no limit */
  async limitSpeed(adminToken: string, account: string, mbps: number): Promise<void> {
    await this.changeAccount(adminToken, account, { speed: { uploadMbps: mbps, downloadMbps: mbps, periods: [] } })
  }

  async changeAccount(adminToken: string, account: string, change: object): Promise<void> {
    const found = await ask(this.url, { path: `/api/admin/users?text=${account}`, token: adminToken })
    const [user] = found.data['rows'] as unknown as ReadonlyArray<{ readonly id: string; readonly revision: number }>
    const json = { revision: user?.revision, ...change }
    const path = `/api/admin/users/${user?.id}`
    const { code } = await ask(this.url, { method: 'PATCH', path, token: adminToken, json })
    if (code !== 200) throw new Error(`the change was answered with ${code}`)
  }

  /** Uploads of the account that are not complete. */
  async unfinished(): Promise<number> {
    const { data } = await ask(this.url, { path: '/api/uploads', token: this.token })
    return (data as unknown as { readonly items: readonly unknown[] }).items.length
  }

  async untilNoUploads(): Promise<void> {
    while ((await this.unfinished()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  /** Asks until the transfer is in the state. */
  async until(transferId: string, isIt: (transfer: TransferView) => boolean): Promise<TransferView> {
    for (;;) {
      const found = (await this.transfers()).find((transfer) => transfer.transferId === transferId)
      if (found !== undefined && isIt(found)) return found
      if (found !== undefined && found.finishedAt > 0) throw new Error(`it ended as ${JSON.stringify(found)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.stop()
    fs.rmSync(this.data, { recursive: true })
  }
}

function start(environment: Readonly<Record<string, string>>): Promise<App> {
  const { config } = loadConfig({ environment, flags: {}, readSecret: () => '' })
  return startApp({ config, log: createLog('silent'), web: undefined, documentation: undefined })
}

export interface ClientOptions {
  readonly udp?: UdpChoice
  readonly encrypted?: boolean
  readonly events?: EngineEvents
  /** Bits per second. */
  readonly rate?: number
  /** Uploads of one account with the same one take each other’s place. */
  readonly task?: number
}

/** @throws RefusedError with the server's reason, or what TLS says to a ticket that is none */
export function connectWith(
  ticket: Pick<TransferTicket, 'ticket' | 'port' | 'packetSize'>,
  options: ClientOptions,
): Promise<Connection> {
  const parsed = parseTicket(ticket.ticket)
  if (parsed === undefined) throw new Error('not a ticket')
  return connect({
    ...{
      host: '127.0.0.1',
      port: ticket.port,
      tls: channelClientTls(channelOfTicket(parsed)),
      ticket: Buffer.from(ticket.ticket),
    },
    ...{ udp: options.udp ?? 'auto', encrypted: options.encrypted ?? true, packetSize: ticket.packetSize },
    settings: { limit: createRateLimit(systemMicros(), options.rate ?? Infinity) },
  })
}

const TASK = 9

export async function sendWith(ticket: TransferTicket, source: Source, options: ClientOptions = {}): Promise<SendTask> {
  const channel = await connectWith(ticket, options)
  const { events = {}, task = TASK } = options
  return sendFiles({ channel, source, nowMs: NOW, events }, { taskId: Buffer.alloc(16, task), hash: 'blake3' })
}

export async function receiveWith(
  ticket: TransferTicket,
  target: Target,
  options: ClientOptions = {},
): Promise<ReceiveTask> {
  const channel = await connectWith(ticket, options)
  const { events = {} } = options
  return receiveFiles({ channel, target, nowMs: NOW, events }, {})
}
