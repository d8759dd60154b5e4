import { randomBytes, X509Certificate } from 'node:crypto'
import dgram from 'node:dgram'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { encodePassword, ERRORS, type SyslogLogState } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSelfSigned } from '../../foundation/certificates/self-signed.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

interface Identity {
  readonly cert: string
  readonly key: string
  readonly fingerprint: string
}

async function newIdentity(): Promise<Identity> {
  const made = { names: ['127.0.0.1'], days: 1, now: Date.now(), serial: randomBytes(16) }
  const { certificate: cert, key } = await makeSelfSigned(made)
  return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 }
}

interface Received {
  readonly priority: number
  readonly id: string
  readonly entry: Readonly<Record<string, unknown>>
}

/** A real collector: it reads frames by their length, and closes when the sender does. */
class Collector {
  readonly messages: string[] = []
  readonly #port: number
  readonly #certificate: { readonly cert: string; readonly key: string } | undefined
  readonly #sockets = new Set<net.Socket>()
  #server: net.Server | undefined

  private constructor(certificate: { cert: string; key: string } | undefined, port: number) {
    this.#certificate = certificate
    this.#port = port
  }

  static async open(certificate?: { cert: string; key: string }): Promise<Collector> {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const collector = new Collector(certificate, port)
    await collector.start()
    return collector
  }

  get port(): number {
    return this.#port
  }

  get received(): Received[] {
    return this.messages.map((message) => {
      const [, priority = '', id = ''] = /^<(\d+)>1 \S+ \S+ godwit \d+ (\S+) \[/.exec(message) ?? []
      return {
        priority: Number(priority),
        id,
        entry: JSON.parse(message.slice(message.indexOf('\u{FEFF}') + 1)) as Received['entry'],
      }
    })
  }

  async start(): Promise<void> {
    const take = (socket: net.Socket): void => {
      let stream = Buffer.alloc(0)
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Buffer) => {
        stream = Buffer.concat([stream, chunk])
        // The sender still speaks TLS while its settings change one by one. Such a collector hangs up at once.
        if (!/^\d/.test(stream.toString('latin1'))) return void socket.destroy()
        for (let space = stream.indexOf(' '); space > 0; space = stream.indexOf(' ')) {
          const end = space + 1 + Number(stream.subarray(0, space).toString())
          if (stream.length < end) return
          this.messages.push(stream.subarray(space + 1, end).toString())
          stream = stream.subarray(end)
        }
      })
    }
    this.#server = this.#certificate === undefined ? net.createServer(take) : tls.createServer(this.#certificate, take)
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

for (const [dialect, databaseUrl] of [
  ['sqlite', () => Promise.resolve(undefined)],
  ['mysql', mariadbUrl],
] as const) {
  describe(`the logs at a syslog collector, from ${dialect}`, { timeout: 120_000 }, () => {
    let site: Site
    let collector: Collector
    let identity: Identity
    let admin = ''
    beforeAll(async () => {
      identity = await newIdentity()
      const url = await databaseUrl()
      site = await openSite(url === undefined ? {} : { databaseUrl: url })
      collector = await Collector.open(identity)
      admin = (await site.signIn('admin')).token
      await set('syslog.host', '127.0.0.1')
      await set('syslog.port', String(collector.port))
      await set('syslog.fingerprint', identity.fingerprint)
    }, 120_000)
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      await collector.stop()
    })

    const set = async (key: string, value: string) => {
      if ((await site.cli(`settings set ${key} ${value}`)) !== 0) throw new Error(site.printed())
    }
    const inConsole = async (method: string, below: string): Promise<Record<string, unknown>> => {
      const given = method === 'POST' ? { json: {} } : {}
      return (await site.ask({ method, path: `/api/admin/syslog${below}`, token: admin, ...given })).data
    }
    const operationsIn = (state: Record<string, unknown>): SyslogLogState => {
      const found = (state['logs'] as readonly SyslogLogState[]).find(({ log }) => log === 'operations')
      if (found === undefined) throw new Error('the operation log is not sent')
      return found
    }
    const groups = () =>
      collector.received.filter(({ id }) => id === 'group.add').map(({ entry }) => String(entry['target']))

    /** What is written while the server still works with the settings before goes to the collector before. */
    const untilAddedGroupsCome = async (name: string, messages: () => readonly string[]) => {
      let added = 0
      const come = async (): Promise<boolean> => {
        await site.cli(`group add ${name}-${++added}`)
        return messages().some((message) => message.includes(`"target":"${name}-`))
      }
      await expect.poll(come, { timeout: 60_000, interval: 1_000 }).toBe(true)
    }

    it('are sent over TLS from the moment that it is switched on', async () => {
      expect(await inConsole('GET', '')).toEqual({ collector: null, logs: [] })
      expect(await inConsole('POST', '/test')).toEqual({ reason: 'off', error: '' })
      await site.cli('group add Before')
      expect(await site.cli('syslog test')).not.toBe(0)
      await set('syslog.transport', '1')
      // Most often before the server has looked at the setting for the first time.
      await site.cli('group add First')
      expect(await site.cli('syslog test')).toBe(0)
      await expect.poll(groups, { timeout: 60_000 }).toEqual(['First'])
      const added = collector.received.find(({ id }) => id === 'group.add')
      expect(added).toMatchObject({ priority: 109, entry: { operation: 'group.add', result: 'ok' } })
      expect(collector.received.some(({ id }) => id === 'test')).toBe(true)
      // A collector that hung up before the server knows that all has arrived would get the same once more.
      const isDelivered = async (): Promise<boolean> => {
        const { waiting, deliveredAt } = operationsIn(await inConsole('GET', ''))
        return waiting === 0 && (deliveredAt ?? 0) > 0
      }
      await expect.poll(isDelivered, { timeout: 60_000 }).toBe(true)
    })

    it('wait while the collector is away, and come whole and in order when it is back', async () => {
      await collector.stop()
      for (const name of ['Second', 'Third', 'Fourth']) await site.cli(`group add ${name}`)
      const waiting = () =>
        site.withDatabase(({ db }) =>
          db.selectFrom('syslog_positions').select('error').where('log', '=', 'operations').executeTakeFirst(),
        )
      await expect.poll(async () => (await waiting())?.error, { timeout: 60_000 }).toContain('ECONNREFUSED')
      const away = await inConsole('GET', '')
      expect(away).toMatchObject({ collector: { transport: 'tls', host: '127.0.0.1', port: collector.port } })
      expect(away['logs']).toContainEqual(expect.objectContaining({ log: 'operations', reason: 'refused' }))
      expect(operationsIn(away).waiting).toBeGreaterThanOrEqual(3)
      expect(operationsIn(away).deliveredAt).toBeGreaterThan(0)
      expect(await inConsole('POST', '/test')).toMatchObject({ reason: 'refused' })
      await collector.start()
      await expect.poll(groups, { timeout: 60_000 }).toEqual(['First', 'Second', 'Third', 'Fourth'])
      await expect.poll(async () => (await waiting())?.error, { timeout: 60_000 }).toBe('')
      await expect
        .poll(async () => operationsIn(await inConsole('GET', '')), { timeout: 60_000 })
        .toMatchObject({ reason: null, error: '', waiting: 0 })
      expect(await inConsole('POST', '/test')).toEqual({ reason: null, error: '' })
      const seqs = collector.received.flatMap(({ entry }) => (typeof entry['seq'] === 'number' ? [entry['seq']] : []))
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    })

    it('report sign-ins, those that failed as warnings', async () => {
      await site.addUser('mei')
      await site.signIn('mei')
      const wrong = { account: 'mei', password: encodePassword('Wrong-password-1') }
      expect((await site.ask({ method: 'POST', path: '/api/user/login', json: wrong })).code).toBe(
        ERRORS.PASSWORD_WRONG.wire,
      )
      const signIns = () =>
        collector.received
          .filter(({ id }) => id === 'sign-in')
          .map(({ priority, entry }) => `${priority} ${String(entry['account'])}`)
      await expect.poll(signIns, { timeout: 60_000 }).toEqual(['109 mei', '108 mei'])
    })

    it('go to nobody with another certificate', async () => {
      await set('syslog.fingerprint', (await newIdentity()).fingerprint)
      expect(await site.cli('syslog test')).not.toBe(0)
      expect(site.printed()).toContain('another certificate')
      await expect.poll(() => inConsole('POST', '/test'), { timeout: 60_000 }).toMatchObject({ reason: 'fingerprint' })
      await set('syslog.fingerprint', identity.fingerprint)
    })

    it('go over TCP and UDP as well', async () => {
      const plain = await Collector.open()
      await set('syslog.port', String(plain.port))
      await set('syslog.transport', '2')
      await untilAddedGroupsCome('Plain', () => plain.messages)
      const socket = dgram.createSocket('udp4')
      const datagrams: string[] = []
      socket.on('message', (message) => void datagrams.push(message.toString()))
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
      await set('syslog.port', String(socket.address().port))
      await set('syslog.transport', '3')
      await untilAddedGroupsCome('Datagram', () => datagrams)
      socket.close()
      await plain.stop()
    })
  })
}
