import { describe, expect, it } from 'vitest'
import {
  groupsOf,
  mappingsOf,
  NEW_PROVIDER,
  newProviderOf,
  providerChangeOf,
  triedProviderOf,
  usualPort,
  valuesOf,
} from './provider-values.ts'

const filled = { ...NEW_PROVIDER, title: ' Company ', host: 'ldap.example.org', base: 'dc=example,dc=org', secret: 'x' }
const saved = { id: 1, accounts: 0, createdAt: 0, revision: 3, hasSecret: true, enabled: true, name: 'Company' }

describe('the values of a directory', () => {
  it('become what the wire takes, and come back', () => {
    const { name, source, secret } = newProviderOf(filled)
    expect({ name, secret }).toEqual({ name: 'Company', secret: 'x' })
    expect(source.settings).toMatchObject({ host: 'ldap.example.org', port: 389, permission: 15, syncMinutes: 0 })
    expect(valuesOf({ ...saved, source })).toEqual({ ...filled, title: 'Company', secret: '' })
  })

  it('send what changed alone, and no secret that was not typed', () => {
    const { source } = newProviderOf(filled)
    const base = valuesOf({ ...saved, source })
    expect(providerChangeOf(base, base, 3)).toEqual({ revision: 3 })
    expect(providerChangeOf({ ...base, enabled: '' }, base, 3)).toEqual({ revision: 3, enabled: false })
    expect(providerChangeOf({ ...base, port: '636' }, base, 3)).toMatchObject({ source: { settings: { port: 636 } } })
    expect(triedProviderOf({ ...base, testAccount: 'mei', testPassword: 'y' }, 1)).toMatchObject({
      ...{ providerId: 1, account: 'mei', password: 'y' },
    })
    expect(triedProviderOf(base, undefined)).not.toHaveProperty('account')
  })

  it('map groups of the directory to groups and departments, and leave empty rows out', () => {
    const groups = groupsOf([
      { dn: 'cn=a', target: 'group:3' },
      { dn: 'cn=b', target: 'department:4' },
      { dn: ' ', target: '' },
    ])
    expect(mappingsOf(groups).map(({ target }) => target)).toEqual(['group:3', 'department:4', ''])
    expect(newProviderOf({ ...filled, groups }).source.settings.groups).toEqual([
      { dn: 'cn=a', groupId: 3 },
      { dn: 'cn=b', departmentId: 4 },
    ])
  })

  it.each([
    ['ldaps', '636'],
    ['starttls', '389'],
    ['none', '389'],
  ])('%s is on %s as a rule', (encryption, port) => {
    expect(usualPort(encryption)).toBe(port)
  })
})
