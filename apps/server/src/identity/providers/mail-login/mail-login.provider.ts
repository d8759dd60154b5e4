import type { MailLoginSettings } from '@godwit/contract'
import type { Random } from '@godwit/base'
import { tryMailLogin } from '../../../foundation/mail/index.ts'
import { newToken } from '../../../kernel/crypto/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Outbound } from '../../../kernel/outbound/index.ts'
import { connectionFault } from '../connection-faults.ts'
import type { Checked, PasswordSource } from '../provider.types.ts'
import { CHECK_MS } from '../time-limits.ts'
import { tryYesOrNo } from '../trial.ts'
import { mailboxOf, personOfMailbox } from './mail-login.policy.ts'

export interface MailLoginDeps {
  readonly outbound: Outbound
  readonly clock: { monotonic(): number }
  readonly random: Random
}

/** A mail server of the house: who may send mail from an address is the one whose address it is. */
export function mailLoginProvider(deps: MailLoginDeps, settings: MailLoginSettings): PasswordSource {
  const check = (login: string, password: string, withinMs = CHECK_MS) =>
    ask(deps, settings, { login, password, withinMs })
  return {
    check,
    test(somebody) {
      const nobody = `godwit-${newToken(deps.random).slice(0, 12)}@${settings.domains[0] ?? ''}`
      // Two sign-ins share the time that a person waits.
      const each = (login: string, password: string) => check(login, password, CHECK_MS / 2)
      return tryYesOrNo(deps, { first: 'connect', nobody, check: each, field: 'host' }, somebody)
    },
  }
}

interface Question {
  readonly login: string
  readonly password: string
  readonly withinMs: number
}

async function ask(
  { outbound }: MailLoginDeps,
  settings: MailLoginSettings,
  { login, password, withinMs }: Question,
): Promise<Checked> {
  const mailbox = mailboxOf(settings, login)
  if (mailbox === undefined) return 'unknown'
  if (password.trim() === '' || password.includes('\0')) return 'wrong'
  const { host, port, encryption, ca, inside } = settings
  const reach = inside ? 'inside' : 'public'
  const tried = { host, port, encryption, ca, reach, user: mailbox, password } as const
  try {
    const answer = await tryMailLogin({ outbound }, tried, AbortSignal.timeout(withinMs))
    if (answer === 'unsupported') throw new AppError('MAIL_LOGIN_UNSUPPORTED', { step: 'tls', field: 'encryption' })
    return answer === 'taken' ? personOfMailbox(settings, mailbox) : 'wrong'
  } catch (thrown) {
    throw mailLoginFaultOf(thrown)
  }
}

function mailLoginFaultOf(thrown: unknown): AppError {
  const fault = connectionFault(thrown)
  const at = { step: 'connect', field: 'host' }
  switch (fault.kind) {
    case 'known':
      return fault.error
    case 'address':
      return new AppError('MAIL_LOGIN_UNREACHABLE', { ...at, reason: fault.reason }, { cause: thrown })
    case 'certificate': {
      const field = fault.isOtherName ? 'host' : 'ca'
      return new AppError('AUTH_SERVICE_CERTIFICATE_INVALID', { step: 'tls', field }, { cause: thrown })
    }
    case 'silent':
    case 'garbled':
      return new AppError('MAIL_LOGIN_UNREACHABLE', at, { cause: thrown })
  }
}
