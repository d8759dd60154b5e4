import { describe, expect, it } from 'vitest'
import type { Checked, PasswordSource } from '../identity/providers/index.ts'

/** One running place of a kind, with a person in it. */
export interface ProviderWorld {
  readonly provider: () => PasswordSource
  /** The same settings, led to a port where nobody listens. */
  readonly silent: () => PasswordSource
  readonly login: string
  readonly password: string
  /** Nobody has this name. Default: `nobody`. */
  readonly stranger?: string
  readonly person: { readonly name?: string; readonly email?: string; readonly login?: string }
}

const NO_PASSWORDS = ['', ' ', '   ', '\0', 'right\0'] as const
const HOSTILE = [
  '*',
  'm*',
  '*)(uid=*',
  ')(|(uid=*',
  'mei)(objectClass=*',
  '\\00',
  '\0',
  'mei\0',
  'mei,dc=example',
  '" OR 1=1',
] as const

/** What every provider does alike. */
export function providerSuite(name: string, world: ProviderWorld): void {
  describe(`the ${name} provider`, () => {
    it('knows a person by the right password, with name and e-mail', async () => {
      expect(await world.provider().check(world.login, world.password)).toMatchObject(world.person)
    })

    it('tells a wrong password from a person whom it does not know', async () => {
      expect(await world.provider().check(world.login, `${world.password}x`)).toBe('wrong')
      expect(await world.provider().check(world.stranger ?? 'nobody', world.password)).toBe('unknown')
    })

    it.each(NO_PASSWORDS)('lets nobody in with %j in place of a password (T24)', async (password) => {
      expect(await world.provider().check(world.login, password)).toBe('wrong')
    })

    it.each(HOSTILE)('finds nobody under the name %j (T25)', async (login) => {
      const found: Checked = await world.provider().check(login, world.password)
      expect(['unknown', 'wrong']).toContain(found)
    })

    it('says that it cannot ask, and not that the password is wrong', async () => {
      await expect(world.silent().check(world.login, world.password)).rejects.toMatchObject({ code: /UNREACHABLE/ })
    })
  })
}
