import type { AdminUserDetail } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyOf, NEW_USER, newUserOf, userChangeOf, valuesOf } from './user-values.ts'

const MIA: AdminUserDetail = {
  id: 'u1',
  account: 'mia',
  name: 'Mia Lin',
  email: 'mia@example.com',
  phone: '13900000000',
  type: 2,
  source: null,
  groups: [],
  department: null,
  usedBytes: 0,
  quotaBytes: 0,
  online: false,
  locked: false,
  standing: 'user',
  invitation: null,
  createdAt: 1,
  lastSignInAt: null,
  revision: 7,
  permission: 6,
  ownQuotaBytes: null,
  mustReset: false,
  home: '/mia',
  spaces: [],
  rules: { forbiddenPaths: [], allowedPaths: [], uploadNewOnly: false, deniedTypes: [], allowedTypes: [] },
  speed: { uploadMbps: 0, downloadMbps: 0, periods: [] },
  weight: null,
  transfer: {
    mailSender: 'own',
    linkMail: null,
    ways: null,
    ignorePatterns: null,
    ignoreAboveMb: null,
    skipSameName: null,
    lockFilters: null,
    sync: null,
  },
  loginAddresses: '',
  validFrom: null,
  validUntil: null,
}

describe('the form of an account', () => {
  it('sends nothing that was not changed', () => {
    const base = valuesOf(MIA)
    expect(userChangeOf(base, base, 7)).toEqual({ revision: 7 })
    expect(userChangeOf({ ...base, email: ' new@example.com ' }, base, 7)).toEqual({
      revision: 7,
      email: 'new@example.com',
    })
  })

  it('leaves to the site what the account has no filter of its own for', () => {
    const base = valuesOf(MIA)
    expect(newUserOf({ ...base, password: 'x' }).transfer).toEqual(MIA.transfer)
    const own = { ...base, filterKind: 'own', ignorePatterns: ' *.tmp ', ways: 'web', sync: 'rest' }
    expect(userChangeOf(own, base, 7).transfer).toEqual({
      ...MIA.transfer,
      ways: 'web',
      ignorePatterns: '*.tmp',
      ignoreAboveMb: 0,
      skipSameName: false,
      lockFilters: false,
      sync: 'rest',
    })
  })

  it('keeps a limit of whole megabytes to the byte', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4_000_000 }), (megabytes) => {
        const user = { ...MIA, ownQuotaBytes: megabytes * 1024 ** 2 }
        const { ownQuotaBytes } = newUserOf({ ...valuesOf(user), password: 'x' })
        expect(ownQuotaBytes).toBe(user.ownQuotaBytes)
      }),
    )
  })

  it('tells the default of the site from no limit at all', () => {
    expect(newUserOf(NEW_USER).ownQuotaBytes).toBeNull()
    expect(newUserOf({ ...NEW_USER, quotaKind: 'none' }).ownQuotaBytes).toBe(0)
    expect(valuesOf({ ...MIA, ownQuotaBytes: 0 }).quotaKind).toBe('none')
  })

  it('reads lists as people write them, and shows them again', () => {
    const values = {
      ...valuesOf(MIA),
      forbiddenPaths: ' /secret/**\n\n*.key ',
      deniedTypes: '.EXE; *.tar.gz, bat exe .',
    }
    const { rules } = userChangeOf(values, valuesOf(MIA), 7)
    expect(rules).toEqual({
      ...MIA.rules,
      forbiddenPaths: ['/secret/**', '*.key'],
      deniedTypes: ['exe', 'tar.gz', 'bat', ''],
    })
    expect(valuesOf({ ...MIA, rules: rules ?? MIA.rules }).deniedTypes).toBe('exe; tar.gz; bat; .')
  })

  it('keeps the minute of a validity date, and forgets one that is emptied', () => {
    const validFrom = new Date(2026, 2, 29, 1, 30).getTime()
    const base = valuesOf({ ...MIA, validFrom })
    expect(base.validFrom).toBe('2026-03-29T01:30')
    expect(newUserOf(base).validFrom).toBe(validFrom)
    expect(userChangeOf({ ...base, validFrom: '' }, base, 7)).toEqual({ revision: 7, validFrom: null })
  })

  it('leaves the weight in shared limits to the places around where it is empty', () => {
    const base = valuesOf({ ...MIA, weight: 30 })
    expect(newUserOf(NEW_USER).weight).toBeNull()
    expect(newUserOf(copyOf({ ...MIA, weight: 30 })).weight).toBe(30)
    expect(userChangeOf({ ...base, weight: ' 40 ' }, base, 7)).toEqual({ revision: 7, weight: 40 })
    expect(userChangeOf({ ...base, weight: ' ' }, base, 7)).toEqual({ revision: 7, weight: null })
  })

  it('copies everything but what only one account may have', () => {
    const copy = copyOf(MIA)
    expect(copy).toMatchObject({ account: '', email: '', phone: '', name: 'Mia Lin', permission: '6' })
  })
})
