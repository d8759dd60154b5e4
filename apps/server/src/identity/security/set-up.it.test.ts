import { encodePassword } from '@godwit/contract'
import { generateSync } from 'otplib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLimits, createMemoryCounts } from '../../kernel/limits/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { openSignIns, type SignIns } from '../../testing/sign-ins.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { administratorsStore, rolesStore } from '../administrators/index.ts'
import { login, type AuthDeps } from '../auth/auth.service.ts'
import { needsSecondFactor } from '../auth/index.ts'
import { createUser, setPassword, usersStore, type UserRow } from '../users/index.ts'
import type { SecurityDeps } from './security.service.ts'
import { beginSetUp, finishSetUp } from './set-up.service.ts'

const PASSWORD = 'Sunrise-42x'
const EVERYBODY = 2

for (const { dialect, open } of DATABASES) {
  describe(`a second factor that is demanded, on ${dialect}`, () => {
    let world: World
    let signIns: SignIns
    let auth: AuthDeps
    let deps: SecurityDeps
    let alice: UserRow
    beforeEach(async () => {
      world = await open()
      signIns = openSignIns(world)
      ;({ auth } = signIns)
      const limits = createLimits(createMemoryCounts(world.clock))
      deps = {
        ...{ auth, ids: world.ids, publicUrl: '', siteName: () => Promise.resolve('Godwit') },
        passkeys: undefined as never,
        passkeyLogins: limits.callLimit({ name: 'passkeys', calls: 60, periodMs: 60_000 }),
        setUps: limits.callLimit({ name: 'set-ups', calls: 60, periodMs: 60_000 }),
      }
      alice = await createUser(signIns.users, { account: 'alice', email: '', password: PASSWORD })
    })
    afterEach(async () => {
      await signIns.stop()
      await world[Symbol.asyncDispose]()
    })

    const signIn = (secondFactor?: string) =>
      login(auth, callerCtx(), { account: 'alice', password: encodePassword(PASSWORD), secondFactor })
    const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(world.clock.now() / 1000) })
    const ticketOf = async (refused: Promise<unknown>): Promise<string> => {
      const error = await refused.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject({ wire: 5458 })
      return (error as { details: { setUp: string } }).details.setUp
    }
    const makeAdministrator = (secondFactor: number) =>
      inTransaction(world.database.db, async (tx) => {
        const at = { revision: 1, created_at: 0, updated_at: 0 }
        const scopes = { audit_scope: 'own', folder_scope: 'own', second_factor: secondFactor }
        const role = await rolesStore.insert(tx, { name: 'R', name_key: 'r', rights: '[]', ...scopes, ...at })
        await administratorsStore.insert(tx, { user_id: alice.id, role_id: role, created_by: '', ...at })
        await usersStore.update(tx, alice.id, { is_admin: 1 })
      })

    it('is set up at the next sign-in, which it completes, and asked for from then on', async () => {
      signIns.switches['security.secondFactor'] = EVERYBODY
      const setUp = await ticketOf(signIn())
      const { secret } = await beginSetUp(deps, callerCtx(), setUp)
      await expect(finishSetUp(deps, callerCtx(), { setUp, code: '000000' })).rejects.toMatchObject({ wire: 5441 })
      const done = await finishSetUp(deps, callerCtx(), { setUp, code: codeOf(secret) })
      expect(done.recoveryCodes).toHaveLength(10)
      expect(await auth.sessions.authenticate(done.token, true)).toMatchObject({ id: alice.id })
      await expect(signIn()).rejects.toMatchObject({ wire: 5440 })
      world.clock.advance(30_000)
      expect((await signIn(codeOf(secret))).account).toBe('alice')
      await expect(beginSetUp(deps, callerCtx(), setUp)).rejects.toMatchObject({ wire: 5457 })
    })

    it('is not set up by a wrong password, a forged ticket, one of ten minutes ago or of another password', async () => {
      signIns.switches['security.secondFactor'] = EVERYBODY
      const wrong = { account: 'alice', password: encodePassword('Wrong-pass-1') }
      await expect(login(auth, callerCtx(), wrong)).rejects.toMatchObject({ wire: 1005 })
      const setUp = await ticketOf(signIn())
      const bob = await createUser(signIns.users, { account: 'bob', email: '', password: PASSWORD })
      const stale = expect.objectContaining({ wire: 5457 }) as unknown
      for (const forged of [
        '',
        'x',
        setUp.replace(alice.id, bob.id),
        `${setUp}x`,
        setUp.replace(/\.\d+\./, '.9999999999999.'),
      ]) {
        await expect(beginSetUp(deps, callerCtx(), forged)).rejects.toEqual(stale)
      }
      const { secret } = await beginSetUp(deps, callerCtx(), setUp)
      world.clock.advance(10 * 60_000)
      await expect(finishSetUp(deps, callerCtx(), { setUp, code: codeOf(secret) })).rejects.toEqual(stale)
      const fresh = await ticketOf(signIn())
      await setPassword(signIns.users, alice, 'Moonlight-77')
      await expect(beginSetUp(deps, callerCtx(), fresh)).rejects.toEqual(stale)
    })

    it('is demanded of administrators by the site, and of those with a role by the role', async () => {
      const needs = () => needsSecondFactor(auth, alice)
      signIns.switches['security.secondFactor'] = 1
      expect(await needs()).toBe(false)
      await makeAdministrator(0)
      alice = (await usersStore.byId(world.database.db, alice.id)) ?? alice
      expect(await needs()).toBe(true)
      signIns.switches['security.secondFactor'] = 0
      expect(await needs()).toBe(false)
      await world.database.db.updateTable('roles').set({ second_factor: 1 }).execute()
      expect(await needs()).toBe(true)
    })

    it('is not demanded of accounts that sign in at an identity provider', async () => {
      signIns.switches['security.secondFactor'] = EVERYBODY
      expect(await needsSecondFactor(auth, { ...alice, account_type: 8 })).toBe(false)
      expect(await needsSecondFactor(auth, { ...alice, account_type: 3 })).toBe(true)
    })
  })
}
