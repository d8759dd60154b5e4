import { MAIL_ENCRYPTION } from '@godwit/contract'
import { freePort, launchSmtp, type Smtp } from '@godwit/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { deliver, SmtpError, type Message, type SmtpDeps, type SmtpServer } from './smtp.ts'
import { openEndless } from './testing/endless-server.ts'

const MESSAGE: Message = {
  to: 'mei@example.org',
  subject: '塍鹬：验证码',
  text: '你好，mei\n',
  html: '<p>你好，mei</p>',
  messageId: 'm1',
  date: new Date(1_800_000_000_000),
}

describe('a mail over a real mail server', () => {
  let smtp: Smtp
  let deps: SmtpDeps
  const server = (change: Partial<SmtpServer> = {}): SmtpServer => ({
    host: 'localhost',
    port: smtp.starttlsPort,
    encryption: MAIL_ENCRYPTION.starttls,
    account: smtp.account,
    password: smtp.password,
    fromName: '塍鹬 Godwit',
    ...change,
  })
  const failure = async (change: Partial<SmtpServer>, message = MESSAGE, over = deps): Promise<SmtpError> => {
    const thrown: unknown = await deliver(over, server(change), message).catch((error: unknown) => error)
    if (!(thrown instanceof SmtpError)) throw new Error('it went through, or failed otherwise', { cause: thrown })
    return thrown
  }

  beforeAll(async () => {
    smtp = await launchSmtp()
    deps = { outbound: createOutbound(['127.0.0.1', '::1']), helloName: 'files.example.org', ca: smtp.ca }
  })
  afterAll(async () => smtp.stop())

  it('goes out by STARTTLS and by TLS with a sign-in, and plainly without one', async () => {
    const ways = [
      { to: 'starttls@example.org', change: {} },
      { to: 'ssl@example.org', change: { port: smtp.sslPort, encryption: MAIL_ENCRYPTION.ssl } },
      { to: 'plain@example.org', change: { port: smtp.plainPort, encryption: MAIL_ENCRYPTION.none, password: '' } },
    ]
    for (const { to, change } of ways) {
      expect(await deliver(deps, server(change), { ...MESSAGE, to })).toContain('kept')
      const mail = await smtp.mailTo(to)
      const isPlain = to.startsWith('plain')
      expect(mail).toMatchObject({ from: smtp.account, recipients: [to], encrypted: !isPlain, signedIn: !isPlain })
      expect(mail.hello).toBe('files.example.org')
      expect(mail.parsed.subject).toBe('塍鹬：验证码')
      expect(mail.parsed.from).toMatchObject({ name: '塍鹬 Godwit', address: smtp.account })
      expect(mail.parsed.text?.trim()).toBe('你好，mei')
      expect(mail.parsed.html).toContain('<p>你好，mei</p>')
      expect(mail.parsed.messageId).toBe('<m1@example.org>')
    }
  })

  it('names step and cause of what goes wrong, with the answer of the server', async () => {
    const wrong = await failure({ password: 'wrong' })
    expect(wrong).toMatchObject({ stage: 'sign-in', reason: 'credentials', isFinal: false })
    expect(wrong.serverAnswer).toMatch(/^535/)
    const refused = await failure({}, { ...MESSAGE, to: 'refused@example.org' })
    expect(refused).toMatchObject({ stage: 'recipient', reason: 'recipient-refused', isFinal: true })
    expect(refused.serverAnswer).toContain('no such mailbox')
    expect(await failure({}, { ...MESSAGE, to: 'never@example.org' })).toMatchObject({
      stage: 'recipient',
      isFinal: false,
    })
    expect(await failure({ port: await freePort() })).toMatchObject({
      stage: 'connect',
      reason: 'refused',
      isFinal: false,
    })
    expect(await failure({ host: 'no-such-host.invalid' })).toMatchObject({ stage: 'address', reason: 'unknown-host' })
    expect(await failure({ port: smtp.plainPort })).toMatchObject({ stage: 'tls', reason: 'no-tls' })
    expect(await failure({ port: smtp.plainPort, encryption: MAIL_ENCRYPTION.ssl })).toMatchObject({
      stage: 'tls',
      reason: 'no-tls',
    })
  })

  it('is given up where the server goes on answering for ever, or when it is not wanted any more', async () => {
    await using slow = await openEndless()
    const endless = { host: '127.0.0.1', port: slow.port, encryption: MAIL_ENCRYPTION.none }
    expect(await failure(endless, MESSAGE, { ...deps, deliveryMs: 300 })).toMatchObject({
      ...{ stage: 'connect', reason: 'timeout', isFinal: false },
    })
    const stopped = new Error('the server stops')
    await expect(deliver(deps, server(endless), MESSAGE, AbortSignal.abort(stopped))).rejects.toBe(stopped)
  })

  it('trusts no certificate of an unknown authority or another name', async () => {
    const { ca: _ca, ...strangers } = deps
    for (const change of [{}, { port: smtp.sslPort, encryption: MAIL_ENCRYPTION.ssl }]) {
      expect(await failure(change, MESSAGE, strangers)).toMatchObject({ stage: 'tls', reason: 'certificate' })
    }
  })

  it('never signs in before the connection is encrypted', async () => {
    expect(await failure({ port: smtp.plainPort, encryption: MAIL_ENCRYPTION.starttls })).toMatchObject({
      stage: 'tls',
    })
  })

  it('reaches nothing inside the house that the operator did not allow (T34)', async () => {
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '::ffff:127.0.0.1', '0.0.0.0']) {
      const outbound = createOutbound([])
      const thrown = await failure({ host, port: smtp.plainPort }, MESSAGE, { ...deps, outbound })
      expect(thrown).toMatchObject({ stage: 'address' })
    }
    const operators = {
      host: '127.0.0.1',
      port: smtp.plainPort,
      encryption: MAIL_ENCRYPTION.none,
      password: '',
      isTrusted: true,
    }
    const trusting = { ...deps, outbound: createOutbound([]) }
    await deliver(trusting, server(operators), { ...MESSAGE, to: 'operator@example.org' })
    expect((await smtp.mailTo('operator@example.org')).parsed.subject).toBe(MESSAGE.subject)
  })

  it('go to the address that was looked at, whatever the name leads to later (T35)', async () => {
    // No name server knows this name: a second look at it would fail.
    const host = 'rebound.invalid'
    const once = { ...deps, outbound: { addressOf: () => Promise.resolve('127.0.0.1') } }
    const plain = { host, port: smtp.plainPort, encryption: MAIL_ENCRYPTION.none, password: '' }
    await deliver(once, server(plain), { ...MESSAGE, to: 'rebound@example.org' })
    expect((await smtp.mailTo('rebound@example.org')).recipients).toEqual(['rebound@example.org'])
    expect(await failure({ host }, MESSAGE, once)).toMatchObject({ stage: 'tls', reason: 'certificate' })
  })

  it('cannot be made to say more than it should, whatever stands in its fields (T59)', async () => {
    const evil = (text: string) =>
      `${text}\r\nRCPT TO:<canary@example.org>\r\nBcc: canary@example.org\n\n.\r\nDATA\u2028`
    const plain = server({ port: smtp.plainPort, encryption: MAIL_ENCRYPTION.none, password: '' })
    const before = (await smtp.mails()).length
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 20 }), async (typed) => {
        const message: Message = {
          ...MESSAGE,
          subject: evil(typed),
          text: evil(typed),
          html: evil(typed),
          messageId: `m${typed.replaceAll(/[^a-z]/g, '')}`,
        }
        await deliver({ ...deps, helloName: evil('x') }, { ...plain, fromName: evil(typed) }, message)
      }),
      { numRuns: 30 },
    )
    const mails = (await smtp.mails()).slice(before)
    expect(mails.length).toBe(30)
    for (const { recipients, parsed } of mails) {
      expect(recipients).toEqual(['mei@example.org'])
      expect(parsed.to?.map(({ address }) => address)).toEqual(['mei@example.org'])
      expect(parsed.headers.map(({ key }) => key)).not.toContain('bcc')
      expect([parsed.cc ?? [], parsed.bcc ?? []]).toEqual([[], []])
    }
    const said = (await smtp.commands()).filter(([command]) => command === 'RCPT').map(([, argument]) => argument)
    expect(said.filter((argument) => argument.includes('canary'))).toEqual([])
  })

  it('sends nothing to an address that is more than one, or none, or endless (T59)', async () => {
    const endless = `${'('.repeat(500_000)}${'a,'.repeat(250_000)}@b.cd`
    const addresses = [
      'a@b.cd, c@d.ef',
      'a@b.cd>\r\nRCPT TO:<c@d.ef',
      'a@b.cd\nc@d.ef',
      '<a@b.cd>',
      'a b@c.de',
      '',
      endless,
    ]
    const before = await smtp.commands()
    for (const to of addresses) {
      expect(await failure({}, { ...MESSAGE, to })).toMatchObject({ stage: 'recipient', isFinal: true })
    }
    expect(await smtp.commands()).toEqual(before)
  })
})
