import { laggingClock } from '@godwit/base'
import { encodePassword, type SessionEnd } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UserCtx } from '../../kernel/context.ts'
import { LOCK_RULE, openSignIns, type SignIns } from '../../testing/sign-ins.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, setLocked, setPassword, usersStore, type UserRow, type UsersDeps } from '../users/index.ts'
import { changeFirstPassword, changePassword, login, type AuthDeps } from './auth.service.ts'
import { sessionIdOf } from '../principals/index.ts'

const PASSWORD = 'Sunrise-42x'
const IDLE_MS = 30 * 60_000

for (const { dialect, open } of DATABASES) {
  describe(`sign-in on ${dialect}`, () => {
    let world: World
    let users: UsersDeps
    let auth: AuthDeps
    let alice: UserRow
    let signIns: SignIns

    beforeEach(async () => {
      world = await open()
      signIns = openSignIns(world)
      ;({ auth, users } = signIns)
      alice = await createUser(users, { account: 'Alice', email: 'alice@example.org', password: PASSWORD })
    })
    afterEach(async () => {
      await signIns.stop()
      await world[Symbol.asyncDispose]()
    })

    const signIn = (account = 'alice', password = PASSWORD) =>
      login(auth, callerCtx(), { account, password: encodePassword(password) })
    const principalOf = (token: string) => auth.sessions.authenticate(token, true)

    it('accepts account and e-mail without regard to case', async () => {
      expect((await signIn('ALICE')).account).toBe('Alice')
      expect((await signIn('Alice@Example.ORG')).account).toBe('Alice')
    })

    it('answers 1005 with failures, lock period in seconds and the limit', async () => {
      await expect(signIn('alice', 'wrong')).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
        wire: 1005,
        details: { loginFailTimes: 1, lockPeriod: 600, maxLockTimes: 5 },
      })
    })

    it('answers an unknown account exactly as a known one', async () => {
      const known = await signIn('alice', 'wrong').catch((error: unknown) => error)
      const unknown = await signIn('nobody', 'wrong').catch((error: unknown) => error)
      expect(unknown).toEqual(known)
    })

    it('locks after the fifth failure, even against the right password, and opens again after the period', async () => {
      for (let attempt = 0; attempt < 5; attempt++) await signIn('alice', 'wrong').catch(() => undefined)
      await expect(signIn()).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED', details: { retryAfterSeconds: 600 } })
      world.clock.advance(LOCK_RULE.windowMs)
      expect((await signIn()).account).toBe('Alice')
    })

    it('keeps the way in of a device that signed in before, while strangers have locked the account', async () => {
      const { device } = await signIn()
      const fromDevice = (account: string, password: string, token = device) =>
        login(auth, callerCtx(), { account, password: encodePassword(password), device: token })
      for (let attempt = 0; attempt < 5; attempt++) await signIn('alice', 'wrong').catch(() => undefined)
      for (let attempt = 0; attempt < 5; attempt++) await signIn('alice@example.org', 'wrong').catch(() => undefined)
      await expect(signIn()).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
      expect((await fromDevice('alice', PASSWORD)).account).toBe('Alice')
      expect((await fromDevice('alice@example.org', PASSWORD)).account).toBe('Alice')
      // It has no more guesses than anybody, and locks itself alone.
      for (let attempt = 0; attempt < 5; attempt++) await fromDevice('alice', 'wrong').catch(() => undefined)
      await expect(fromDevice('alice', PASSWORD)).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
      world.clock.advance(LOCK_RULE.windowMs)
      expect((await fromDevice('alice', PASSWORD)).account).toBe('Alice')
    })

    it('takes no device of another account, of an old password, of long ago, or made up', async () => {
      await createUser(users, { account: 'bob', email: '', password: PASSWORD })
      const { device: ofBob } = await signIn('bob')
      const { device: ofAlice } = await signIn()
      const lockedFor = async (device: string): Promise<void> => {
        for (let attempt = 0; attempt < 5; attempt++) await signIn('alice', 'wrong').catch(() => undefined)
        const credentials = { account: 'alice', password: encodePassword(PASSWORD), device }
        await expect(login(auth, callerCtx(), credentials)).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
      }
      const [drawn = '', until = '', proof = ''] = ofAlice.split('.')
      for (const device of [ofBob, '', '..', drawn, `${drawn}.${Number(until) + 1}.${proof}`]) await lockedFor(device)
      world.clock.advance(180 * 24 * 3_600_000)
      await lockedFor(ofAlice)
      world.clock.advance(LOCK_RULE.windowMs)
      const { device: before } = await signIn()
      await setPassword(users, alice, 'Moonlight-7')
      for (let attempt = 0; attempt < 5; attempt++) await signIn('alice', 'wrong').catch(() => undefined)
      const credentials = { account: 'alice', password: encodePassword('Moonlight-7'), device: before }
      await expect(login(auth, callerCtx(), credentials)).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
    })

    it('counts account and e-mail address apart, so that nobody learns which belong together', async () => {
      const counters = async (name: string): Promise<unknown> =>
        signIn(name, 'wrong').catch((error: unknown) => (error as { details: object }).details)
      for (let attempt = 0; attempt < 3; attempt++) await counters('alice')
      const ofOwn = await counters('alice@example.org')
      const ofNobody = await counters('nobody@example.org')
      expect(ofOwn).toEqual(ofNobody)
      for (let attempt = 0; attempt < 5; attempt++) await counters('alice')
      expect(await counters('alice@example.org')).toEqual(await counters('nobody@example.org'))
    })

    it('opens again after a clock that goes back by a day', async () => {
      for (let attempt = 0; attempt < 5; attempt++) await signIn('alice', 'wrong').catch(() => undefined)
      await expect(signIn()).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
      world.clock.set(world.clock.now() - 24 * 3_600_000)
      expect((await signIn()).account).toBe('Alice')
    })

    it('tries at most five of 40 guesses made at the same time, by clocks that differ a little', async () => {
      auth = { ...auth, clock: laggingClock(world.clock) }
      const guesses = Array.from({ length: 40 }, (_, index) =>
        signIn('alice', `wrong-${index}`).catch((error: unknown) => error),
      )
      const codes = (await Promise.all(guesses)).map((error) => (error as { code: string }).code)
      expect(codes.filter((code) => code === 'PASSWORD_WRONG')).toHaveLength(5)
      expect(codes.filter((code) => code === 'ACCOUNT_LOCKED')).toHaveLength(35)
    })

    it('forgets failures after a success', async () => {
      for (let attempt = 0; attempt < 4; attempt++) await signIn('alice', 'wrong').catch(() => undefined)
      await signIn()
      await expect(signIn('alice', 'wrong')).rejects.toMatchObject({ details: { loginFailTimes: 1 } })
    })

    it('refuses NUL and empty passwords before any look-up', async () => {
      await expect(signIn('alice', '')).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      await expect(signIn('alice', 'a\0b')).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
    })

    it('asks for a new password first when one must be set', async () => {
      await createUser(users, { account: 'bob', email: '', password: PASSWORD, mustReset: true })
      await expect(signIn('bob')).rejects.toMatchObject({ wire: 1074 })
      const change = {
        account: 'bob',
        oldPassword: encodePassword(PASSWORD),
        newPassword: encodePassword('Moonlight-7'),
      }
      await changeFirstPassword(auth, callerCtx(), change)
      expect((await signIn('bob', 'Moonlight-7')).account).toBe('bob')
      const again = {
        account: 'bob',
        oldPassword: encodePassword('Moonlight-7'),
        newPassword: encodePassword(PASSWORD),
      }
      await expect(changeFirstPassword(auth, callerCtx(), again)).rejects.toMatchObject({
        code: 'PASSWORD_CHANGE_NOT_ALLOWED',
      })
    })

    it('never stores a token, only its hash', async () => {
      const reply = await signIn()
      const rows = await world.database.db.selectFrom('sessions').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(reply.token)
      expect(JSON.stringify(rows)).not.toContain(reply.refresh_token)
    })

    it('ends a session after 30 idle minutes and not before', async () => {
      const { token } = await signIn()
      world.clock.advance(IDLE_MS - 1)
      expect(await principalOf(token)).toBeDefined()
      world.clock.advance(IDLE_MS + 1)
      expect(await principalOf(token)).toBeUndefined()
    })

    it('does not count a request with the no-refresh marker as activity', async () => {
      const { token } = await signIn()
      world.clock.advance(IDLE_MS - 1)
      await auth.sessions.authenticate(token, false)
      world.clock.advance(2000)
      expect(await principalOf(token)).toBeUndefined()
    })

    it('rotates both tokens on refresh; the old login token is dead once the new one was used', async () => {
      const old = await signIn()
      const fresh = await auth.sessions.refresh(old.refresh_token)
      expect(await principalOf(fresh.token)).toBeDefined()
      expect(await principalOf(old.token)).toBeUndefined()
    })

    it('ends the session when a spent refresh token is shown again', async () => {
      const old = await signIn()
      const fresh = await auth.sessions.refresh(old.refresh_token)
      expect(await principalOf(fresh.token)).toBeDefined()
      await expect(auth.sessions.refresh(old.refresh_token)).rejects.toMatchObject({ wire: 1009 })
      expect(await principalOf(fresh.token)).toBeUndefined()
      await expect(auth.sessions.refresh(fresh.refreshToken)).rejects.toMatchObject({ wire: 1009 })
    })

    it('goes on with the pair before while the answer to a renewal may be lost', async () => {
      const old = await signIn()
      const lost = await auth.sessions.refresh(old.refresh_token)
      expect(await principalOf(old.token)).toBeDefined()
      // A call for a renewal carries the refresh token where others carry the login token.
      expect(await principalOf(old.refresh_token)).toBeUndefined()
      const again = await auth.sessions.refresh(old.refresh_token)
      expect(await principalOf(old.token)).toBeDefined()
      expect(await principalOf(again.token)).toBeDefined()
      expect(await principalOf(old.token)).toBeUndefined()
      expect([again.token, again.refreshToken]).not.toContain(lost.token)
    })

    it('renews a pair that was never used by its own refresh token', async () => {
      const first = await signIn()
      const second = await auth.sessions.refresh(first.refresh_token)
      const third = await auth.sessions.refresh(second.refreshToken)
      expect(await principalOf(second.token)).toBeDefined()
      expect(await principalOf(third.token)).toBeDefined()
      await expect(auth.sessions.refresh(first.refresh_token)).rejects.toMatchObject({ wire: 1009 })
      expect(await principalOf(third.token)).toBeUndefined()
    })

    it.each(['login token', 'refresh token'])(
      'ends the session when the %s of a replaced pair is shown',
      async (which) => {
        const old = await signIn()
        const received = await auth.sessions.refresh(old.refresh_token)
        // Whoever has a copy of the old refresh token is faster than the first use of the new pair.
        const stolen = await auth.sessions.refresh(old.refresh_token)
        if (which === 'login token') expect(await principalOf(received.token)).toBeUndefined()
        else await expect(auth.sessions.refresh(received.refreshToken)).rejects.toMatchObject({ wire: 1009 })
        expect(await principalOf(stolen.token)).toBeUndefined()
        await expect(auth.sessions.refresh(stolen.refreshToken)).rejects.toMatchObject({ wire: 1009 })
      },
    )

    it('leaves one good pair at most after simultaneous refreshes', async () => {
      const { refresh_token } = await signIn()
      const renewals = Array.from({ length: 4 }, async () => auth.sessions.refresh(refresh_token))
      const pairs = (await Promise.allSettled(renewals)).flatMap((each) =>
        each.status === 'fulfilled' ? [each.value] : [],
      )
      expect(pairs.length).toBeGreaterThan(0)
      const principals = []
      for (const { token } of pairs) principals.push(await principalOf(token))
      expect(principals.filter((principal) => principal !== undefined).length).toBeLessThanOrEqual(1)
    })

    it.each(['locked', 'removed', 'password', 'everywhere'])('revokes at once: %s', async (how) => {
      const { token } = await signIn()
      expect(await principalOf(token)).toBeDefined()
      const ctx = { ...callerCtx(), principal: await principalOf(token) } as UserCtx
      if (how === 'locked') await setLocked(users, alice, true)
      if (how === 'removed') await world.database.db.deleteFrom('users').where('id', '=', alice.id).execute()
      if (how === 'password') {
        const change = { oldPassword: encodePassword(PASSWORD), newPassword: encodePassword('Moonlight-7') }
        await changePassword(auth, ctx, change)
      }
      if (how === 'everywhere') await auth.sessions.endAllOf(alice.id)
      world.clock.advance(1000)
      expect(await principalOf(token)).toBeUndefined()
    })

    it('notifies listeners which session ended and why', async () => {
      const ended: SessionEnd[] = []
      world.bus.subscribe('session.ended', ({ reason }) => ended.push(reason))
      const { token } = await signIn()
      const principal = await principalOf(token)
      await auth.sessions.end(principal === undefined ? '' : sessionIdOf(principal), alice.id, 'signed-out')
      expect(ended).toEqual(['signed-out'])
    })

    it('answers a wrong old password with 1023', async () => {
      const { token } = await signIn()
      const ctx = { ...callerCtx(), principal: await principalOf(token) } as UserCtx
      const change = { oldPassword: encodePassword('wrong'), newPassword: encodePassword('Moonlight-7') }
      await expect(changePassword(auth, ctx, change)).rejects.toMatchObject({ wire: 1023 })
    })

    it.each([
      [{ account: 'alice' }, 'ACCOUNT_EXISTS'],
      [{ email: 'ALICE@example.org' }, 'EMAIL_EXISTS'],
      [{ account: 'ab' }, 'ACCOUNT_INVALID'],
      [{ account: 'a/b' }, 'ACCOUNT_INVALID'],
      [{ password: 'short' }, 'PASSWORD_WEAK'],
      [{ password: 'Carol-2026-carol', account: 'carol' }, 'PASSWORD_WEAK'],
      [{ email: 'not an address' }, 'EMAIL_INVALID'],
    ])('refuses the new account %o with %s', async (change, code) => {
      const wanted = { account: 'carol', email: 'carol@example.org', password: PASSWORD, ...change }
      await expect(createUser(users, wanted)).rejects.toMatchObject({ code })
    })

    it('creates an account once, however many ask at the same time', async () => {
      const wanted = { account: 'dave', email: '', password: PASSWORD }
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => createUser(users, wanted)))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'ACCOUNT_EXISTS' })
      }
    })

    it('gives a namesake of a removed account another home', async () => {
      await world.database.db.transaction().execute((tx) => usersStore.remove(tx, alice))
      const namesake = await createUser(users, { account: 'alice', email: '', password: PASSWORD })
      expect(namesake.home).not.toBe(alice.home)
    })

    it('opens no session for a password that was replaced while it was looked at', async () => {
      let meanwhile = () => Promise.resolve()
      // Asked between the proof and the session.
      const slow = { ...auth, switches: async () => (await meanwhile(), auth.switches()) }
      const credentials = { account: 'alice', password: encodePassword(PASSWORD) }
      meanwhile = async () => {
        await usersStore.update(users.db, alice.id, { must_reset: 1 })
        await auth.sessions.endAllOf(alice.id)
      }
      await expect(login(slow, callerCtx(), credentials)).rejects.toMatchObject({ code: 'PASSWORD_RESET_REQUIRED' })
      await usersStore.update(users.db, alice.id, { must_reset: 0 })
      meanwhile = async () => {
        await setPassword(users, alice, 'Moonlight-7')
        await auth.sessions.endAllOf(alice.id)
      }
      await expect(login(slow, callerCtx(), credentials)).rejects.toMatchObject({ code: 'PASSWORD_WRONG' })
      expect(await auth.sessions.listOf(alice.id)).toEqual([])
    })

    it('replaces no password but the one that was proven', async () => {
      const { token } = await signIn()
      const ctx = { ...callerCtx(), principal: await principalOf(token) } as UserCtx
      let meanwhile = async () => {
        meanwhile = () => Promise.resolve()
        await setPassword(users, alice, 'Moonlight-7')
      }
      // Asked between the proof and the change.
      const slow = { ...auth, users: { ...users, refuseWeak: () => meanwhile() } }
      const change = { oldPassword: encodePassword(PASSWORD), newPassword: encodePassword('Starlight-8') }
      await expect(changePassword(slow, ctx, change)).rejects.toMatchObject({ code: 'OLD_PASSWORD_WRONG' })
      expect((await signIn('alice', 'Moonlight-7')).account).toBe('Alice')
      await expect(signIn('alice', 'Starlight-8')).rejects.toMatchObject({ code: 'PASSWORD_WRONG' })
    })

    it('keeps the old password valid when the new one is refused', async () => {
      await expect(setPassword(users, alice, 'short')).rejects.toMatchObject({ code: 'PASSWORD_WEAK' })
      expect((await signIn()).account).toBe('Alice')
    })
  })
}
