import type { Texts } from '../../../lib/texts.tsx'
import { describe, expect, it } from 'vitest'
import { askedValues } from './asked-values.ts'
import { daysLeft } from './days-left.ts'
import {
  aliasFaults,
  canHaveAliases,
  linkFaults,
  type LinkValues,
  peopleText,
  secondsOf,
  termsOf,
} from './link-form.ts'
import { requestValues } from './request-values.ts'

const texts = ((key: string) => key) as unknown as Texts
const NOW = new Date(2026, 10, 22, 12).getTime()
const values = (changes: Partial<LinkValues> = {}): LinkValues => ({
  audience: 'anyone',
  people: '',
  expiry: '1',
  date: '',
  hasPassword: '',
  password: '',
  allowDownload: 'on',
  bind: '',
  notify: '',
  limit: '',
  notBefore: '',
  description: '',
  emails: '',
  mailLanguage: '0',
  mailText: '',
  onlyRecipients: '',
  ...askedValues(null),
  ...requestValues(null),
  ...changes,
})
const faults = (changes: Partial<LinkValues>) =>
  Object.entries(linkFaults(values(changes), texts, NOW)).flatMap(([name, fault]) =>
    fault === undefined ? [] : [name],
  )

describe('the form of a link', () => {
  it('takes today and later days, none before', () => {
    expect(faults({ expiry: 'date', date: '2026-11-22' })).toEqual([])
    expect(faults({ expiry: 'date', date: '2026-11-21' })).toEqual(['date'])
    expect(faults({ expiry: 'date', date: '' })).toEqual(['date'])
    expect(faults({ expiry: '7', date: '' })).toEqual([])
  })

  it('wants a password while its switch is on, and a limit that is a number', () => {
    expect(faults({ hasPassword: 'on', password: '  ' })).toEqual(['password'])
    expect(faults({ hasPassword: '', password: '' })).toEqual([])
    for (const limit of ['0', '-1', '1.5', 'x', '1000000']) expect(faults({ limit }), limit).toEqual(['limit'])
    expect(faults({ limit: '999999' })).toEqual([])
  })

  it('sends presets as whole days from now, a date as its last second, never as 0, and leaves an old time alone', () => {
    const time = (changes: Partial<LinkValues>) =>
      termsOf(values(changes), {}, { now: NOW, isInvite: false }).shareExpireTime
    expect(time({ expiry: '3' })).toBe(NOW / 1000 + 3 * 86_400)
    expect(time({ expiry: 'date', date: '2026-12-01' })).toBe(secondsOf('2026-12-02', 'start') - 1)
    expect(time({ expiry: 'never' })).toBe(0)
    expect(time({ expiry: 'same' })).toBeUndefined()
  })

  it('strips white space from the password, and sends none while the switch is off', () => {
    expect(
      termsOf(values({ hasPassword: 'on', password: ' a b c ' }), {}, { now: NOW, isInvite: false }).shareUrlPasswd,
    ).toBe('abc')
    expect(termsOf(values({ password: 'abcd' }), {}, { now: NOW, isInvite: false })).not.toHaveProperty(
      'shareUrlPasswd',
    )
  })

  it('wants somebody to be named, and no password of people who sign in', () => {
    const tom = { id: 'u1', account: 'tom', name: 'Tom' }
    const people = peopleText({ users: [tom], groups: [{ id: 7, name: 'Design' }] })
    expect(faults({ audience: 'named' })).toEqual(['people'])
    expect(faults({ audience: 'named', people, hasPassword: 'on' })).toEqual([])
    const audience = (changes: Partial<LinkValues>) =>
      termsOf(values({ people, ...changes }), {}, { now: NOW, isInvite: false }).audience
    expect(audience({ audience: 'named' })).toEqual({ kind: 'named', userIds: ['u1'], groupIds: [7] })
    expect(audience({ audience: 'everyone' })).toEqual({ kind: 'everyone', userIds: [], groupIds: [] })
    expect(peopleText({ users: [], groups: [] })).toBe('')
  })

  it('refuses aliases that are malformed, another file’s name, or given twice', () => {
    const files = ['a.txt', 'b.txt', 'c.txt']
    expect(aliasFaults({ 'a.txt': 'x/y' }, files, texts)).toEqual({ 'a.txt': 'links.alias-invalid' })
    expect(aliasFaults({ 'a.txt': 'b.txt' }, files, texts)).toEqual({ 'a.txt': 'links.alias-taken' })
    expect(aliasFaults({ 'a.txt': 'z', 'b.txt': 'z' }, files, texts)).toEqual({
      'a.txt': 'links.alias-duplicate',
      'b.txt': 'links.alias-duplicate',
    })
    expect(aliasFaults({ 'a.txt': 'a.txt', 'b.txt': '' }, files, texts)).toEqual({})
  })

  it('offers aliases for fewer than ten files and no folder', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`)
    expect(canHaveAliases(names(9), false)).toBe(true)
    expect(canHaveAliases(names(10), false)).toBe(false)
    expect(canHaveAliases(names(1), true)).toBe(false)
    expect(canHaveAliases([], false)).toBe(false)
  })

  it('counts the days of the last week', () => {
    const inSeconds = (seconds: number) => daysLeft(NOW / 1000 + seconds, NOW)
    expect(inSeconds(7 * 86_400)).toBe(7)
    expect(inSeconds(7 * 86_400 + 1)).toBeUndefined()
    expect(inSeconds(1)).toBe(1)
    expect(inSeconds(0)).toBeUndefined()
    expect(daysLeft(0, NOW)).toBeUndefined()
  })
})
