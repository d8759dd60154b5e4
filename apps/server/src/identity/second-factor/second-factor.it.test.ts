import { secureRandom } from '@godwit/base'
import { generateSync } from 'otplib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openVault } from '../../kernel/crypto/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, type UserRow, type UsersDeps, usersStore } from '../users/index.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
  takeSecondFactor,
  type SecondFactorDeps,
} from './second-factor.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`the second factor on ${dialect}`, () => {
    let world: World
    let deps: SecondFactorDeps
    let users: UsersDeps
    let mei: UserRow
    let secret = ''
    const code = () => generateSync({ secret, epoch: Math.floor(world.clock.now() / 1000) })
    const take = (text: string) => takeSecondFactor(deps, mei.id, text)
    const switchOn = async () => {
      secret = (await beginSecondFactor(deps, mei, 'Godwit')).secret
      const codes = await confirmSecondFactor(deps, mei.id, code())
      world.clock.advance(30_000)
      return codes
    }
    const wins = (settled: ReadonlyArray<PromiseSettledResult<unknown>>) =>
      settled.filter(({ status }) => status === 'fulfilled').length

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      const { db } = database
      users = { db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
      deps = { db, clock, random: secureRandom, vault: openVault(world.folder, secureRandom) }
      mei = await createUser(users, { account: 'mei', email: '', password: 'Sunrise-42x' })
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('is not asked for before a code of it was shown', async () => {
      secret = (await beginSecondFactor(deps, mei, 'Godwit')).secret
      expect(await hasSecondFactor(deps, mei.id)).toBe(false)
      await expect(confirmSecondFactor(deps, mei.id, '000000')).rejects.toMatchObject({ wire: 5441 })
      expect(await confirmSecondFactor(deps, mei.id, code())).toHaveLength(10)
      expect(await hasSecondFactor(deps, mei.id)).toBe(true)
    })

    it('is not replaced while it is on', async () => {
      await switchOn()
      await expect(beginSecondFactor(deps, mei, 'Godwit')).rejects.toMatchObject({ wire: 5442 })
      await expect(confirmSecondFactor(deps, mei.id, code())).rejects.toMatchObject({ wire: 5442 })
    })

    it('takes each code once, of 20 that show it at the same time as well', async () => {
      await switchOn()
      const shown = code()
      expect(wins(await Promise.allSettled(Array.from({ length: 20 }, () => take(shown))))).toBe(1)
      world.clock.advance(30_000)
      await expect(take(shown)).rejects.toMatchObject({ wire: 5441 })
      await take(code())
    })

    it('takes each recovery code once, in any case and with or without dashes', async () => {
      const [first = '', second = '', third = ''] = await switchOn()
      expect(wins(await Promise.allSettled(Array.from({ length: 20 }, () => take(first))))).toBe(1)
      await take(second.toUpperCase())
      await take(third.replaceAll('-', ''))
      await expect(take(second)).rejects.toMatchObject({ wire: 5441 })
      expect(await recoveryCodesLeft(deps, mei.id)).toBe(7)
      for (const wrong of ['', '-', '0000-0000-0000-0000']) {
        await expect(take(wrong)).rejects.toMatchObject({ wire: 5441 })
      }
    })

    it('forgets old recovery codes with new ones, and takes no code of another account', async () => {
      const [old = ''] = await switchOn()
      const [fresh = ''] = await renewRecoveryCodes(deps, mei.id)
      await expect(take(old)).rejects.toMatchObject({ wire: 5441 })
      const tom = await createUser(users, { account: 'tom', email: '', password: 'Sunrise-42x' })
      await expect(takeSecondFactor(deps, tom.id, fresh)).rejects.toMatchObject({ wire: 5441 })
      await expect(takeSecondFactor(deps, tom.id, code())).rejects.toMatchObject({ wire: 5441 })
    })

    it('is stored sealed, its recovery codes as hashes, and goes with the account', async () => {
      const codes = await switchOn()
      const tables = ['second_factors', 'recovery_codes'] as const
      const rows = await Promise.all(tables.map((table) => deps.db.selectFrom(table).selectAll().execute()))
      const text = JSON.stringify(rows)
      for (const told of [secret, ...codes, ...codes.map((one) => one.replaceAll('-', ''))])
        expect(text).not.toContain(told)
      await usersStore.remove(deps.db, mei)
      for (const table of tables) expect(await deps.db.selectFrom(table).selectAll().execute()).toEqual([])
    })

    it('can be switched off and on anew with another secret', async () => {
      await switchOn()
      const before = secret
      await removeSecondFactor(deps, mei.id)
      expect([await hasSecondFactor(deps, mei.id), await recoveryCodesLeft(deps, mei.id)]).toEqual([false, 0])
      await switchOn()
      expect(secret).not.toBe(before)
    })
  })
}
