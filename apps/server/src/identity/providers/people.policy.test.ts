import { describe, expect, it } from 'vitest'
import { accountOfLogin, locksAllowed, planOf, type Known, type Present } from './people.policy.ts'
import type { Person } from './provider.types.ts'

const person = (login: string, change: Partial<Person> = {}): Person => ({
  ...{ key: `key of ${login}`, login, name: login, email: '', phone: '', department: undefined },
  ...{ departmentId: undefined, groupIds: [], isDisabled: false },
  ...change,
})

const known = (account: string, change: Partial<Known> = {}): Known => ({
  ...{ userId: `id of ${account}`, account, login: account, name: account, email: '', phone: '' },
  ...{ departmentId: null, isLocked: false, isLockedBySync: false, groupIds: [] },
  ...change,
})

function present(accounts: readonly Known[], change: Partial<Present> = {}): Present {
  return {
    known: new Map(accounts.map((account) => [`key of ${account.login}`, account])),
    accounts: new Map(accounts.map(({ account, userId }) => [account, { userId, isAdoptable: false }])),
    ...{ announced: new Map(), emails: new Map(), departments: new Map() },
    ...{ groups: new Map([[7, 1]]), departmentIds: new Set([3]) },
    ...change,
  }
}

const short = (people: readonly Person[], there: Present) =>
  planOf(people, there).map((step) => ({
    ...{ change: step.change, account: step.account },
    ...('what' in step ? { what: step.what } : {}),
    ...('reason' in step ? { reason: step.reason } : {}),
  }))

describe('the account of a name elsewhere', () => {
  it.each([
    ['mei', 'mei'],
    ['li.wei-2', 'li_wei_2'],
    ['mei@example.org', 'mei_example_org'],
    ['josé', 'jose'],
    ['ab', undefined],
    ['...', undefined],
    ['李伟明', undefined],
    ['a'.repeat(31), undefined],
    ['mei)(uid=*', undefined],
  ])('%s is %s', (login, account) => {
    expect(accountOfLogin(login)).toBe(account)
  })
})

describe('a synchronization', () => {
  it('gives an announced account to whoever signs in under its name, however long that is, and once', () => {
    const login = `mei.${'x'.repeat(40)}@example.org`
    const waiting = { userId: '5', account: 'mei', isAdoptable: true }
    const there = present([], { announced: new Map([[login, waiting]]) })
    expect(short([person(login.toUpperCase())], there)).toEqual([
      { change: 'change', account: 'mei', what: ['source'] },
    ])
    const taken = present([], { announced: new Map([[login, { ...waiting, isAdoptable: false }]]) })
    expect(short([person(login)], taken)).toEqual([{ change: 'skip', account: 'mei', reason: 'account-taken' }])
  })

  it('adds who is new, locks who is gone, and leaves the rest alone', () => {
    const there = present([known('mei'), known('left')])
    expect(short([person('mei'), person('new')], there)).toEqual([
      { change: 'add', account: 'new' },
      { change: 'lock', account: 'left' },
    ])
  })

  it('is done when it is repeated', () => {
    expect(short([person('mei')], present([known('mei'), known('left', { isLocked: true })]))).toEqual([])
  })

  it('names the fields that change, also after a rename', () => {
    const there = present([known('mei', { email: 'old@example.org', groupIds: [7] })])
    const renamed = person('mei.li', { key: 'key of mei', name: 'Mei Li', email: 'new@example.org', departmentId: 3 })
    expect(short([renamed], there)).toEqual([
      { change: 'change', account: 'mei', what: ['name', 'email', 'department', 'groups', 'login'] },
    ])
  })

  it('leaves alone what the directory does not manage, and memberships that it cannot see', () => {
    const there = present([known('mei', { name: 'Her own', email: 'a@b.cd', departmentId: 3, groupIds: [7] })])
    const bare = person('mei', { name: undefined, email: undefined, phone: undefined, groupIds: undefined })
    expect(short([bare], there)).toEqual([])
  })

  it('takes over no account of this server, and no address of somebody else', () => {
    const there = present([], {
      accounts: new Map([['admin', { userId: '1', isAdoptable: false }]]),
      emails: new Map([['admin@example.org', '1']]),
    })
    const [skip, add] = planOf([person('admin'), person('mei', { email: 'Admin@example.org' })], there)
    expect(skip).toEqual({ change: 'skip', account: 'admin', reason: 'account-taken' })
    expect(add).toMatchObject({ change: 'add', fields: { email: '' } })
  })

  it('gives one name to one of two, whatever is between their words', () => {
    expect(short([person('li.wei'), person('li-wei')], present([]))).toEqual([
      { change: 'add', account: 'li_wei' },
      { change: 'skip', account: 'li_wei', reason: 'account-taken' },
    ])
  })

  it('takes over an account that a removed provider left behind', () => {
    const there = present([], { accounts: new Map([['mei', { userId: '5', isAdoptable: true }]]) })
    expect(short([person('mei')], there)).toEqual([{ change: 'change', account: 'mei', what: ['source'] }])
  })

  it('locks who is switched off, and unlocks only whom it locked itself', () => {
    const off = person('mei', { isDisabled: true })
    expect(short([off], present([known('mei')]))).toEqual([{ change: 'lock', account: 'mei' }])
    expect(short([off], present([]))).toEqual([{ change: 'skip', account: 'mei', reason: 'disabled' }])
    const bySync = known('mei', { isLocked: true, isLockedBySync: true })
    expect(short([person('mei')], present([bySync]))).toEqual([{ change: 'unlock', account: 'mei', what: [] }])
    expect(short([person('mei')], present([known('mei', { isLocked: true })]))).toEqual([])
  })

  it('may lock a third unasked, and always a handful', () => {
    expect([0, 6, 15, 16, 18, 50_000].map(locksAllowed)).toEqual([5, 5, 5, 5, 6, 16_666])
  })
})
