import type { LdapSettings } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { placesOf } from '../people.policy.ts'
import { dnKey, escapeFilter, ldapFault, loginFilter, personOf } from './ldap.policy.ts'

const settings: LdapSettings = {
  ...{ serverType: 'OpenLdap', host: 'ldap.example.org', port: 389, encryption: 'starttls', ca: '' },
  ...{ base: 'dc=example,dc=org', bindUser: '', filter: '', groups: [], permission: 0 },
  ...{ createAtSignIn: true, syncMinutes: 0 },
  attributes: { account: 'uid', name: 'cn', email: '', phone: '', department: '', id: 'entryUUID' },
}

describe('a filter', () => {
  it.each([
    ['*', String.raw`\2a`],
    ['a)(uid=*', String.raw`a\29\28uid=\2a`],
    ['\\', String.raw`\5c`],
    ['a\0b', String.raw`a\00b`],
    ['李伟', '李伟'],
  ])('takes %j as %s (RFC 4515 §3)', (text, escaped) => {
    expect(escapeFilter(text)).toBe(escaped)
  })

  it('finds one name among the people that were asked for', () => {
    expect(loginFilter({ ...settings, filter: '' }, 'mei')).toBe('(&(objectClass=person)(uid=mei))')
    expect(loginFilter({ ...settings, filter: 'ou=Lab' }, 'm*')).toBe(String.raw`(&(ou=Lab)(uid=m\2a))`)
  })
})

describe('an entry', () => {
  const entry = (values: Readonly<Record<string, string>>) => ({
    dn: 'uid=mei,dc=example,dc=org',
    attributes: new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), [Buffer.from(value)]])),
  })

  it('is a person when it has its unique id and its name', () => {
    const found = personOf(settings, entry({ uid: 'mei', entryUUID: 'abc', cn: ' Mei ' }), placesOf([]))
    expect(found).toMatchObject({ login: 'mei', key: '616263', name: 'Mei', email: undefined, isDisabled: false })
    expect(personOf(settings, entry({ uid: 'mei' }), placesOf([]))).toBeUndefined()
    expect(personOf(settings, entry({ entryUUID: 'abc' }), placesOf([]))).toBeUndefined()
  })

  it('is switched off where AD says so', () => {
    const off = entry({ uid: 'mei', entryUUID: 'abc', userAccountControl: '514' })
    expect(personOf(settings, off, placesOf([]))).toMatchObject({ isDisabled: true })
  })

  it('has one spelling', () => {
    expect(dnKey('UID=Mei, OU=People ,dc=Example')).toBe('uid=mei,ou=people,dc=example')
  })
})

describe('settings', () => {
  it.each([
    [{ host: '' }, 'host'],
    [{ base: '' }, 'base'],
    [{ serverType: 'AD' }, 'bindUser'],
    [{ bindUser: 'cn=admin' }, 'secret'],
  ] as const)('with %j lack %s', (change, field) => {
    expect(ldapFault({ ...settings, ...change }, false)).toEqual({ field, code: 'VALUE_REQUIRED' })
    expect(ldapFault(settings, false)).toBeUndefined()
  })
})
