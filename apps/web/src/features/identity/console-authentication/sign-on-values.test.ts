import { describe, expect, it } from 'vitest'
import { changeBody, newBody } from './provider-bodies.ts'
import { groupsOf } from './provider-values.ts'
import { NEW_SIGN_ON, signOnSourceOf, signOnValuesOf } from './sign-on-values.ts'

const groups = groupsOf([
  { dn: 'lab', target: 'group:3' },
  { dn: ' ', target: '' },
])
const filled = { ...NEW_SIGN_ON, title: ' Company ', issuer: ' https://id.example.org ', clientId: 'godwit', groups }
const saved = { id: 1, accounts: 0, createdAt: 0, revision: 3, hasSecret: true, enabled: true, name: 'Company' }

describe('the values of an identity provider', () => {
  it('become what the wire takes, and come back', () => {
    const { name, source } = newBody({ ...filled, secret: 'x' }, signOnSourceOf(filled))
    expect(name).toBe('Company')
    expect(source.settings).toMatchObject({ issuer: 'https://id.example.org', claims: { groups: 'groups' } })
    expect(source.settings.groups).toEqual([{ name: 'lab', groupId: 3 }])
    expect(signOnValuesOf({ ...saved, source })).toEqual({
      ...{ ...filled, title: 'Company', issuer: 'https://id.example.org' },
      groups: JSON.stringify([{ dn: 'lab', groupId: 3 }]),
    })
  })

  it('send what changed alone', () => {
    const base = { ...filled, title: 'Company' }
    const change = (values: typeof base) => changeBody({ values, base, sourceOf: signOnSourceOf, revision: 3 })
    expect(change(base)).toEqual({ revision: 3 })
    expect(change({ ...base, enabled: '' })).toEqual({ revision: 3, enabled: false })
    expect(change({ ...base, phone: 'tel' })).toMatchObject({ source: { settings: { claims: { phone: 'tel' } } } })
  })
})
