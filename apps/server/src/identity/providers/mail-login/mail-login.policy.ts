import type { MailLoginSettings } from '@godwit/contract'
import { isEmail } from '../../users/index.ts'
import type { Person } from '../provider.types.ts'

const KEY_MAX = 250

/** The mailbox that somebody means; undefined for what is no address of the domains that may sign in. */
export function mailboxOf({ domains }: Pick<MailLoginSettings, 'domains'>, login: string): string | undefined {
  const at = login.lastIndexOf('@')
  // A domain has no upper case; what stands before it is the mail server's own (RFC 5321 §2.4).
  const domain = login.slice(at + 1).toLowerCase()
  const mailbox = `${login.slice(0, at + 1)}${domain}`
  return at > 0 && domains.includes(domain) && mailbox.length <= KEY_MAX && isEmail(mailbox) ? mailbox : undefined
}

/** A mail server says nothing about a person but that the address is theirs. */
export function personOfMailbox({ domains }: Pick<MailLoginSettings, 'domains'>, mailbox: string): Person {
  const local = mailbox.slice(0, mailbox.lastIndexOf('@'))
  return {
    ...{ key: mailbox, login: mailbox, email: mailbox, isDisabled: false },
    // With several domains the part before the sign may stand for several people.
    ...(domains.length === 1 ? { calledAfter: local } : {}),
    ...{ name: undefined, phone: undefined, department: undefined, departmentId: undefined, groupIds: undefined },
  }
}

/** What keeps settings from being usable, whatever the server says. */
export function mailLoginFault({ host, domains }: MailLoginSettings, hasSecret: boolean) {
  if (host === '') return { field: 'host', code: 'VALUE_REQUIRED' } as const
  if (domains.length === 0) return { field: 'domains', code: 'VALUE_REQUIRED' } as const
  // Whose password is checked is the one who signs in: there is nothing to keep.
  return hasSecret ? ({ field: 'secret', code: 'PARAMETER_INVALID' } as const) : undefined
}
