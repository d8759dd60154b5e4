import { isIP } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { beforeAbort, type Outbound, type Reach } from '../../kernel/outbound/index.ts'

export interface MailLogin {
  readonly host: string
  readonly port: number
  /** TLS from the start, or as the first command; never without. */
  readonly encryption: 'tls' | 'starttls'
  /** PEM of the authorities that may have signed its certificate; '' is those of the system. */
  readonly ca: string
  readonly reach: Reach
  readonly user: string
  readonly password: string
}

/** `unsupported`: the server takes no sign-in here, or no encrypted one. */
export type MailLoginAnswer = 'taken' | 'refused' | 'unsupported'

const FAREWELL_MS = 100
const ANSWER_BYTES = 16 * 1024

/**
 * Signs in at a mail server and leaves again; no mail is sent.
 * @throws OutboundError, or what the connection ended with
 */
export async function tryMailLogin(
  { outbound }: { readonly outbound: Outbound },
  login: MailLogin,
  signal: AbortSignal,
): Promise<MailLoginAnswer> {
  const { host, port, encryption, ca, reach } = login
  const address = await beforeAbort(outbound.addressOf(host, reach), signal)
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection({
    ...{ host: address, port, secure: encryption === 'tls', requireTLS: encryption === 'starttls' },
    ...{ maxResponseSize: ANSWER_BYTES, socketCloseTimeout: FAREWELL_MS },
    tls: {
      minVersion: 'TLSv1.2',
      // The certificate is for the name although the connection goes to the address that was looked at.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === '' ? {} : { ca }),
    },
  })
  try {
    return await beforeAbort(converse(connection, login), signal)
  } finally {
    connection.close()
  }
}

function converse(connection: SMTPConnection, { user, password }: MailLogin): Promise<MailLoginAnswer> {
  const settled = Promise.withResolvers<MailLoginAnswer>()
  const fail = (thrown: unknown): void => {
    const facts = factsOf(thrown)
    const answer = answerOf(facts)
    if (answer !== undefined) return settled.resolve(answer)
    const ended = new Error('the mail server could not be asked', { cause: thrown })
    settled.reject(Object.assign(ended, { code: facts.tlsCode === '' ? facts.code : facts.tlsCode }))
  }
  // Also after the end, when nobody waits any more.
  connection.on('error', fail)
  connection.once('end', () => settled.reject(Object.assign(new Error('the mail server left'), { code: 'ECONNRESET' })))
  connection.connect((fault) => {
    if (fault) return fail(fault)
    if (!connection.secure || !connection.allowsAuth) return settled.resolve('unsupported')
    connection.login({ credentials: { user, pass: password } }, (refusal) => {
      if (refusal) fail(refusal)
      else settled.resolve('taken')
    })
  })
  return settled.promise
}

/** RFC 4954 §6: 535 refuses the credentials; what begins with 4 is to be tried again. */
const REFUSED: ReadonlySet<number> = new Set([501, 530, 535, 550, 553, 554])
const NOT_THIS_WAY: ReadonlySet<number> = new Set([502, 503, 504, 534, 538])

function answerOf({ code, tlsCode, responseCode }: Facts): MailLoginAnswer | undefined {
  // The other side does not speak TLS, or never offered it.
  if (tlsCode.startsWith('ERR_SSL_') || (code === 'ETLS' && tlsCode === '')) return 'unsupported'
  if (code !== 'EAUTH') return undefined
  if (REFUSED.has(responseCode)) return 'refused'
  return responseCode === 0 || NOT_THIS_WAY.has(responseCode) ? 'unsupported' : undefined
}

interface Facts {
  readonly code: string
  /** What the connection itself ended with, which the library keeps beside its own code. */
  readonly tlsCode: string
  /** Of the server; 0 without one. */
  readonly responseCode: number
}

function factsOf(thrown: unknown): Facts {
  const facts: Readonly<Record<string, unknown>> = typeof thrown === 'object' && thrown !== null ? { ...thrown } : {}
  const text = (name: string): string => (typeof facts[name] === 'string' ? facts[name] : '')
  const responseCode = typeof facts['responseCode'] === 'number' ? facts['responseCode'] : 0
  return { code: text('code'), tlsCode: text('originalCode'), responseCode }
}
