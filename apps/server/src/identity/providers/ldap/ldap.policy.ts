import type { LdapSettings } from '@godwit/contract'
import type { Places } from '../people.policy.ts'
import type { Person } from '../provider.types.ts'

/** Values of an entry as bytes, by attribute in lower case. */
export type Attributes = ReadonlyMap<string, readonly Buffer[]>

export interface LdapEntry {
  readonly dn: string
  readonly attributes: Attributes
}

/** A text within a filter: what has a meaning there is written as its code (RFC 4515 §3). */
export function escapeFilter(text: string): string {
  return text.replaceAll(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

const PERSONS = {
  AD: '(&(objectCategory=person)(objectClass=user))',
  OpenLdap: '(objectClass=person)',
} as const satisfies Readonly<Record<LdapSettings['serverType'], string>>

export function personsFilter({ filter, serverType }: Pick<LdapSettings, 'filter' | 'serverType'>): string {
  if (filter === '') return PERSONS[serverType]
  return filter.startsWith('(') ? filter : `(${filter})`
}

/** Finds the one person with this name. */
export function loginFilter(settings: LdapSettings, login: string): string {
  return `(&${personsFilter(settings)}(${settings.attributes.account}=${escapeFilter(login)}))`
}

/** Finds a group's entry when this person is its member. */
export function memberFilter(dn: string, login: string): string {
  const person = escapeFilter(dn)
  return `(|(member=${person})(uniqueMember=${person})(memberUid=${escapeFilter(login)}))`
}

/** Two spellings of one name in the tree are alike in this form. */
export function dnKey(dn: string): string {
  return dn
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s*([,=+])\s*/g, '$1')
    .trim()
}

const ADS_DISABLED = 2
const KEY_MAX = 250
const LOGIN_MAX = 255

/** @returns undefined for an entry that lacks what an account stands on: its unique id or its name */
export function personOf(
  settings: Pick<LdapSettings, 'attributes'>,
  { attributes }: LdapEntry,
  { groupIds, departmentId }: Places,
): Person | undefined {
  const { id, account, name, email, phone, department } = settings.attributes
  const key = attributes.get(id.toLowerCase())?.[0]?.toString('hex') ?? ''
  const login = textOf(attributes, account) ?? ''
  if (key === '' || key.length > KEY_MAX || login === '' || login.length > LOGIN_MAX) return undefined
  return {
    ...{ key, login, groupIds, departmentId },
    name: textOf(attributes, name),
    email: textOf(attributes, email),
    phone: textOf(attributes, phone),
    department: textOf(attributes, department),
    isDisabled: (Number(textOf(attributes, 'userAccountControl')) & ADS_DISABLED) !== 0,
  }
}

function textOf(attributes: Attributes, name: string): string | undefined {
  if (name === '') return undefined
  return (attributes.get(name.toLowerCase())?.[0]?.toString('utf8') ?? '').normalize('NFC').trim()
}

/** What is asked of each entry. */
export function wantedAttributes({ attributes }: Pick<LdapSettings, 'attributes'>): string[] {
  return [...new Set([...Object.values(attributes).filter((name) => name !== ''), 'userAccountControl'])]
}

/** What keeps settings from being usable, whatever the directory says. */
export function ldapFault(
  { host, base, bindUser, serverType }: LdapSettings,
  hasSecret: boolean,
): { readonly field: string; readonly code: 'VALUE_REQUIRED' } | undefined {
  const code = 'VALUE_REQUIRED'
  if (host === '') return { field: 'host', code }
  if (base === '') return { field: 'base', code }
  if (bindUser === '' && serverType === 'AD') return { field: 'bindUser', code }
  // A name without a password would be taken for nobody, and succeed.
  return bindUser !== '' && !hasSecret ? { field: 'secret', code } : undefined
}
