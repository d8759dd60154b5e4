import { CONSOLE_RIGHTS } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from './testing/administrators.ts'
import { doors, type Door } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import type { Login } from './testing/wire.ts'

/** Every route of the console, from the contract: a new one is attacked unasked. */
const consoleDoors = (): Door[] => doors().filter(({ access }) => typeof access === 'object')
const rightOf = ({ access }: Door): string => (typeof access === 'object' ? access.right : '')

describe('the doors of the console', () => {
  let site: Site
  const logins = new Map<string, Login>()

  beforeAll(async () => {
    site = await openSite()
    for (const account of ['mei', 'viewer', 'nothing']) await site.addUser(account)
    await administer(site, 'viewer', ['users.view'])
    await administer(site, 'nothing', [])
    for (const account of ['mei', 'viewer', 'nothing']) logins.set(account, await site.signIn(account))
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const tokenOf = (account: string) => logins.get(account)?.token ?? ''

  it('are shut to strangers and to people who administer nothing', async () => {
    const wrong: string[] = []
    for (const { name, question } of consoleDoors()) {
      const stranger = await site.ask(question)
      const person = await site.ask({ ...question, token: tokenOf('mei') })
      if (stranger.code !== 1009) wrong.push(`${name} to a stranger: ${stranger.text}`)
      if (person.code !== 1008) wrong.push(`${name} to a person: ${person.text}`)
    }
    expect(wrong).toEqual([])
    expect(consoleDoors().length).toBeGreaterThan(5)
  })

  it('are shut to a role without their right, and leave no trace of a change', async () => {
    const before = await site.databaseHash(['sessions'])
    const wrong: string[] = []
    for (const door of consoleDoors()) {
      if (rightOf(door) === 'console.open') continue
      const { code, text } = await site.ask({ ...door.question, token: tokenOf('nothing') })
      if (code !== 1008) wrong.push(`${door.name} without rights: ${text}`)
      if (rightOf(door) === 'users.view') continue
      const lower = await site.ask({ ...door.question, token: tokenOf('viewer') })
      if (lower.code !== 1008) wrong.push(`${door.name} with users.view: ${lower.text}`)
    }
    expect(wrong).toEqual([])
    expect(await site.databaseHash(['sessions'])).toBe(before)
  })

  it('open with their right, and say who is there', async () => {
    const me = await site.ask({ path: '/api/admin/me', token: tokenOf('viewer') })
    expect(me.data).toMatchObject({ account: 'viewer', standing: 'role', rights: ['users.view'], auditScope: 'own' })
    const list = await site.ask({ path: '/api/admin/users', token: tokenOf('viewer') })
    expect(list.data).toMatchObject({ total: 4, page: 1, size: 10 })
    const { token } = await site.signIn('admin')
    const all = await site.ask({ path: '/api/admin/me', token })
    expect(all.data).toMatchObject({ standing: 'super', role: null, auditScope: 'all' })
    expect(all.data['rights']).toEqual(expect.arrayContaining([...CONSOLE_RIGHTS, 'roles.edit']))
  })
})
