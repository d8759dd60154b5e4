import { describe, expect, it } from 'vitest'
import { ON } from '../../../ui/form/index.ts'
import { newBody, triedWithSomebody } from './provider-bodies.ts'
import { groupsOf } from './provider-values.ts'
import {
  httpSourceOf,
  httpValuesOf,
  mailLoginSourceOf,
  mailLoginValuesOf,
  NEW_HTTP,
  NEW_MAIL_LOGIN,
  NEW_UNIX,
  unixSourceOf,
  unixValuesOf,
} from './service-values.ts'

const saved = { id: 1, accounts: 0, createdAt: 0, revision: 3, hasSecret: false, enabled: true, name: 'House' }
const groups = groupsOf([{ dn: 'lab', target: 'group:3' }])

describe('the values of a service', () => {
  it('become what the wire takes, and come back', () => {
    const http = { ...NEW_HTTP, title: 'House', url: 'https://id.example.org/check', inside: ON, groups }
    expect(httpSourceOf(http).settings).toMatchObject({ inside: true, groups: [{ name: 'lab', groupId: 3 }] })
    expect(httpValuesOf({ ...saved, source: httpSourceOf(http) })).toEqual(http)
    const mail = { ...NEW_MAIL_LOGIN, title: 'House', host: 'mail.example.org', domains: 'example.org\nexample.com' }
    expect(mailLoginSourceOf(mail).settings).toMatchObject({ port: 587, domains: ['example.org', 'example.com'] })
    expect(mailLoginValuesOf({ ...saved, source: mailLoginSourceOf(mail) })).toEqual(mail)
    const unix = { ...NEW_UNIX, title: 'House', minUid: '500', createAtSignIn: '' }
    expect(unixSourceOf(unix).settings).toMatchObject({ service: 'godwit', minUid: 500, createAtSignIn: false })
    expect(unixValuesOf({ ...saved, source: unixSourceOf(unix) })).toEqual(unix)
    expect(unixValuesOf({ ...saved, source: httpSourceOf(http) })).toBeUndefined()
  })

  it('send the secret and the test account only when they are typed', () => {
    expect(newBody(NEW_UNIX, unixSourceOf(NEW_UNIX))).not.toHaveProperty('secret')
    expect(triedWithSomebody(NEW_UNIX, unixSourceOf(NEW_UNIX), 1)).not.toHaveProperty('account')
    const tried = { ...NEW_UNIX, testAccount: ' mei ', testPassword: ' p ' }
    expect(triedWithSomebody(tried, unixSourceOf(tried), 1)).toMatchObject({ account: 'mei', password: ' p ' })
  })
})
