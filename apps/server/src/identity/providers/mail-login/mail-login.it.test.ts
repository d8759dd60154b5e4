import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { secureRandom, systemClock } from '@godwit/base'
import type { MailLoginSettings } from '@godwit/contract'
import { freePort, launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../../../kernel/outbound/index.ts'
import { providerSuite } from '../../../testing/provider-suite.ts'
import type { PasswordSource } from '../provider.types.ts'
import { mailLoginProvider } from './mail-login.provider.ts'

let smtp: Smtp
beforeAll(async () => {
  smtp = await launchSmtp()
})
afterAll(() => smtp.stop())

const silentPort = await freePort()

function open(change: Partial<MailLoginSettings> = {}): PasswordSource {
  const encryption = change.encryption ?? 'starttls'
  const settings: MailLoginSettings = {
    ...{ host: 'localhost', port: encryption === 'tls' ? smtp.sslPort : smtp.starttlsPort, encryption },
    ...{ domains: ['example.org'], ca: smtp.ca, inside: true, permission: 6, createAtSignIn: true },
    ...change,
  }
  return mailLoginProvider({ outbound: createOutbound([]), clock: systemClock, random: secureRandom }, settings)
}

for (const encryption of ['starttls', 'tls'] as const)
  providerSuite(`e-mail (${encryption})`, {
    provider: () => open({ encryption }),
    silent: () => open({ encryption, port: silentPort }),
    ...{ login: 'sender@example.org', password: 'Mail-password-7' },
    person: { login: 'sender@example.org', email: 'sender@example.org' },
  })

describe('a mailbox', () => {
  it('of another domain is nobody, and the server is not asked about it', async () => {
    const provider = open({ port: silentPort })
    for (const login of ['sender@example.com', 'sender@mail.example.org', 'sender', '@example.org', 'a b@example.org'])
      expect(await provider.check(login, 'Mail-password-7')).toBe('unknown')
    expect(await open().check('sender@EXAMPLE.org', 'Mail-password-7')).toMatchObject({ key: 'sender@example.org' })
  })

  it('gives the account its name, or the whole address where several domains may have it', async () => {
    const found = await open().check('sender@example.org', 'Mail-password-7')
    expect(found).toMatchObject({ calledAfter: 'sender', name: undefined, groupIds: undefined })
    const several = await open({ domains: ['example.com', 'example.org'] }).check(
      'sender@example.org',
      'Mail-password-7',
    )
    expect(several).not.toHaveProperty('calledAfter')
  })

  it('is tested with the server first', async () => {
    const somebody = { login: 'sender@example.org', password: 'Mail-password-7' }
    const { steps } = await open().test(somebody)
    expect(steps.map(({ step }) => step)).toEqual(['connect', 'refusal', 'password'])
    const faults: ReadonlyArray<readonly [PasswordSource, object]> = [
      [open({ ca: '' }), { code: 'AUTH_SERVICE_CERTIFICATE_INVALID', details: { step: 'tls', field: 'ca' } }],
      [open({ encryption: 'tls', ca: '' }), { code: 'AUTH_SERVICE_CERTIFICATE_INVALID', details: { field: 'ca' } }],
      [open({ host: 'absent.invalid' }), { code: 'MAIL_LOGIN_UNREACHABLE', details: { reason: 'unknown-host' } }],
      [open({ inside: false }), { code: 'MAIL_LOGIN_UNREACHABLE', details: { reason: 'not-allowed' } }],
      [open({ port: silentPort }), { code: 'MAIL_LOGIN_UNREACHABLE', details: { step: 'connect', field: 'host' } }],
      [open({ port: smtp.plainPort }), { code: 'MAIL_LOGIN_UNSUPPORTED', details: { field: 'encryption' } }],
      [open({ encryption: 'tls', port: smtp.plainPort }), { code: 'MAIL_LOGIN_UNSUPPORTED' }],
    ]
    for (const [provider, fault] of faults) {
      const proof = await provider.test(somebody).catch((thrown: unknown) => thrown)
      expect(proof).toMatchObject(
        'details' in fault ? { ...fault, details: expect.objectContaining(fault.details as object) as object } : fault,
      )
    }
    await expect(open().test({ ...somebody, password: 'wrong' })).rejects.toMatchObject({
      ...{ code: 'AUTH_SERVICE_CREDENTIALS_WRONG', details: { step: 'password', field: 'password' } },
    })
  })

  it('behind a server that is silent, or that talks without end, is given up in time', async () => {
    for (const talk of [() => undefined, flood, garbage]) {
      await using server = await listen(talk)
      const begun = performance.now()
      const asked = open({ port: server.port }).check('sender@example.org', 'Mail-password-7', 1500)
      await expect(asked).rejects.toMatchObject({ code: 'MAIL_LOGIN_UNREACHABLE' })
      expect(performance.now() - begun).toBeLessThan(9_000)
    }
  })
})

function flood(socket: Socket): void {
  const line = `220-${'x'.repeat(60_000)}\r\n`
  const more = (): void => {
    while (!socket.destroyed && socket.write(line));
  }
  socket.on('drain', more)
  more()
}

function garbage(socket: Socket): void {
  socket.end('HTTP/1.1 200 OK\r\n\r\n')
}

async function listen(talk: (socket: Socket) => void): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
