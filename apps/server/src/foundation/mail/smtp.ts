import { isIP } from 'node:net'
import { isEmail, MAIL_ENCRYPTION, type SmtpReason, type SmtpStage } from '@godwit/contract'
import { OutboundError, type Outbound } from '../../kernel/outbound/index.ts'
import { oneLine } from '../../kernel/plain-text.ts'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** MAIL_ENCRYPTION. */
  readonly encryption: number
  /** E-mail address to send from and to sign in with. */
  readonly account: string
  /** '' does not sign in. */
  readonly password: string
  readonly fromName: string
  /** Named by the operator: may be anywhere. */
  readonly isTrusted?: boolean
}

export interface Message {
  /** One plain address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without `<` and `>`; a mail that is sent again keeps it, so that the receiver can drop the second one. */
  readonly messageId: string
  readonly date: Date
}

export interface SmtpDeps {
  readonly outbound: Outbound
  /** Name this server calls itself. */
  readonly helloName: string
  /** Longest time for one mail, from the first byte to the last answer. Default 2 minutes. */
  readonly deliveryMs?: number
  /** PEM of authorities to trust besides the system's. */
  readonly ca?: string
}

/** A mail that was not taken. `isFinal`: the server will not take it another time either. */
export class SmtpError extends Error {
  override readonly name = 'SmtpError'
  readonly stage: SmtpStage
  readonly reason: SmtpReason
  /** Last answer of the mail server, '' without one. */
  readonly serverAnswer: string
  readonly isFinal: boolean

  constructor(facts: Pick<SmtpError, 'stage' | 'reason' | 'serverAnswer' | 'isFinal'>, options?: ErrorOptions) {
    super(`${facts.stage}: ${facts.reason}`, options)
    this.stage = facts.stage
    this.reason = facts.reason
    this.serverAnswer = facts.serverAnswer
    this.isFinal = facts.isFinal
  }
}

const CONNECT_MS = 8_000
const SILENCE_MS = 20_000
/** A server that says a word now and then is never silent. */
const DELIVERY_MS = 120_000
const ANSWER_MAX = 300

/**
 * Hands one mail to its server. Every part of the message is data to the library: addresses are objects, never texts to be
 * taken apart, and nothing in them can begin a line of the protocol.
 * @param signal gives the mail up
 * @returns the server's last answer
 * @throws SmtpError, or the reason of `signal`
 */
export async function deliver(
  deps: SmtpDeps,
  server: SmtpServer,
  message: Message,
  signal?: AbortSignal,
): Promise<string> {
  if (!isEmail(message.to)) {
    throw new SmtpError({ stage: 'recipient', reason: 'recipient-refused', serverAnswer: '', isFinal: true })
  }
  const host = await addressOf(deps, server)
  const limit = AbortSignal.timeout(deps.deliveryMs ?? DELIVERY_MS)
  // Most of a server's life no mail is sent; until then the library takes no memory.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port: server.port,
    secure: server.encryption === MAIL_ENCRYPTION.ssl,
    requireTLS: server.encryption === MAIL_ENCRYPTION.starttls,
    ignoreTLS: server.encryption === MAIL_ENCRYPTION.none,
    name: deps.helloName.replaceAll(/[^A-Za-z0-9.:[\]-]/g, ''),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(server.password === '' ? {} : { auth: { user: server.account, pass: server.password } }),
    tls: {
      minVersion: 'TLSv1.2',
      // The name is checked although the connection goes to the address that was looked at.
      ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
      ...(deps.ca === undefined ? {} : { ca: deps.ca }),
    },
  })
  try {
    const sent = await transport.sendMail({
      from: { name: oneLine(server.fromName), address: server.account },
      to: { name: '', address: message.to },
      envelope: { from: server.account, to: message.to },
      subject: oneLine(message.subject),
      text: message.text,
      html: message.html,
      messageId: `<${message.messageId}@${domainOf(server.account)}>`,
      date: message.date,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    return answerOf(sent.response)
  } catch (thrown) {
    signal?.throwIfAborted()
    if (limit.aborted) throw tooSlow(thrown)
    throw toSmtpError(thrown)
  } finally {
    transport.close()
  }
}

async function addressOf({ outbound }: SmtpDeps, { host, isTrusted }: SmtpServer): Promise<string> {
  if (isTrusted === true) return host
  try {
    return await outbound.addressOf(host)
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown
    const facts = { stage: 'address', reason: thrown.reason, serverAnswer: '', isFinal: false } as const
    throw new SmtpError(facts, { cause: thrown })
  }
}

function tooSlow(cause: unknown): SmtpError {
  return new SmtpError({ stage: 'connect', reason: 'timeout', serverAnswer: '', isFinal: false }, { cause })
}

interface Failure {
  readonly code: string
  readonly originalCode: string
  readonly command: string
  readonly responseCode: number
  readonly response: string
  readonly message: string
}

function toSmtpError(thrown: unknown): SmtpError {
  const failure = failureOf(thrown)
  const [stage, reason] = placeOf(failure)
  const isRefusal = failure.responseCode >= 500 && failure.responseCode !== 503
  // A wrong password is mended by whoever set it, and the mail then goes out.
  const isFinal = isRefusal && (stage === 'sender' || stage === 'recipient' || stage === 'message')
  return new SmtpError({ stage, reason, serverAnswer: answerOf(failure.response), isFinal }, { cause: thrown })
}

function failureOf(thrown: unknown): Failure {
  const facts: Readonly<Record<string, unknown>> = typeof thrown === 'object' && thrown !== null ? { ...thrown } : {}
  const text = (name: string): string => {
    const value = facts[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    code: text('code'),
    originalCode: text('originalCode'),
    command: text('command'),
    responseCode: typeof facts['responseCode'] === 'number' ? facts['responseCode'] : 0,
    response: text('response'),
    message: thrown instanceof Error ? thrown.message : '',
  }
}

/** Which step of the conversation failed, and why in terms of what a person can change. */
function placeOf({ code, originalCode, command, message }: Failure): readonly [SmtpStage, SmtpReason] {
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(`${code} ${originalCode}`)) return ['tls', 'certificate']
  if (code === 'ETLS' || originalCode.startsWith('ERR_SSL') || /wrong version number|packet length/i.test(message)) {
    return ['tls', 'no-tls']
  }
  if (code === 'EAUTH') return ['sign-in', 'credentials']
  if (code === 'ENOAUTH') return ['sign-in', 'no-sign-in']
  if (command.startsWith('MAIL')) return ['sender', 'sender-refused']
  if (command.startsWith('RCPT') || code === 'EENVELOPE') return ['recipient', 'recipient-refused']
  if (code === 'EMESSAGE' || command.startsWith('DATA')) return ['message', 'message-refused']
  if (code === 'EDNS') return ['address', 'unknown-host']
  if (code === 'ETIMEDOUT' || originalCode === 'ETIMEDOUT') return ['connect', 'timeout']
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(`${code} ${originalCode}`)) return ['connect', 'refused']
  return ['connect', 'disconnected']
}

function answerOf(response: string): string {
  return oneLine(response).slice(0, ANSWER_MAX)
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
