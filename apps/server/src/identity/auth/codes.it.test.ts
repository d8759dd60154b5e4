import { randomHex, secureRandom } from '@godwit/base'
import { ACCOUNT_TYPE, encodePassword } from '@godwit/contract'
import { launchSmtp, type KeptMail, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserCtx } from '../../kernel/context.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { fuzzResets } from '../../testing/reset-fuzz.ts'
import { openSignIns, SITE_URL, type SignIns } from '../../testing/sign-ins.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, preferencesStore, setPassword, usersStore, type UserRow } from '../users/index.ts'
import { accountOfEmail, changePassword, login, sendSignInCode } from './auth.service.ts'
import { changeProfile } from './profile.service.ts'
import { resetPassword, sendResetCode, verifyResetCode } from './reset.service.ts'

const PASSWORD = 'Sunrise-42x'
const NEW_PASSWORD = 'Moonlight-77'
const SENT = { resendAfterSeconds: 60, expiresInSeconds: 600 }
const MINUTE_MS = 60_000
const WRONG_CODE = '000000'

for (const { dialect, open } of DATABASES) {
  describe(`codes by e-mail on ${dialect}`, () => {
    let smtp: Smtp
    let world: World
    let signIns: SignIns
    let mei: UserRow
    /** Everybody has a mailbox of their own, so that tests do not read each other's mail. */
    let email: string

    beforeAll(async () => void (smtp = await launchSmtp()))
    afterAll(async () => smtp.stop())
    beforeEach(async () => {
      world = await open()
      signIns = openSignIns(world, smtp)
      Object.assign(signIns.switches, { emailVerificationSwitch: 1, resetPasswordSwitch: 1 })
      email = `mei-${randomHex(secureRandom, 6)}@example.org`
      mei = await createUser(signIns.users, { account: 'mei', email, password: PASSWORD })
    })
    afterEach(async () => {
      await signIns.stop()
      await world[Symbol.asyncDispose]()
    })

    const signIn = (
      change: { readonly account?: string; readonly password?: string; readonly emailCode?: string } = {},
    ) =>
      login(signIns.auth, callerCtx(), {
        account: change.account ?? 'mei',
        password: encodePassword(change.password ?? PASSWORD),
        emailCode: change.emailCode,
      })
    const askForCode = (account = 'mei', language = 1) =>
      sendSignInCode(signIns.auth, callerCtx(), { account, language })
    const codeIn = (mail: KeptMail) => /^\d{6}$/m.exec(mail.parsed.text ?? '')?.[0] ?? ''
    const codeOf = async (count = 1) => codeIn(await smtp.mailTo(email, count))
    const mailsOf = async () => (await smtp.mails()).filter(({ recipients }) => recipients.includes(email))
    const forgot = (address = email, language = 0) =>
      sendResetCode(signIns.auth, callerCtx(), { email: address, language })
    const verify = (code: string, address = email) => verifyResetCode(signIns.auth, { email: address, code })
    const reset = (passToken: string, password = NEW_PASSWORD) =>
      resetPassword(signIns.auth, { passToken, password: encodePassword(password) })
    const other = (code: string) => (code === WRONG_CODE ? '111111' : WRONG_CODE)
    /** Waits until every queued mail was taken or dropped. */
    const settled = async () => {
      for (;;) {
        const open = await world.database.db
          .selectFrom('jobs')
          .select('id')
          .where('state', 'in', ['queued', 'running'])
          .execute()
        if (open.length === 0) return
        await new Promise((done) => setTimeout(done, 20))
      }
    }

    /** A mail under way would lose its lease to a clock that jumps, and be sent twice. */
    const later = async (ms: number) => {
      await settled()
      world.clock.advance(ms)
    }

    it('are asked for after the right password only, and open the session (4132)', async () => {
      await expect(signIn({ password: 'wrong' })).rejects.toMatchObject({ wire: 1005 })
      await expect(signIn()).rejects.toMatchObject({ wire: 4132, details: { email: `m…@example.org` } })
      expect(await askForCode()).toEqual(SENT)
      const mail = await smtp.mailTo(email)
      expect(mail.parsed.subject).toBe('Your sign-in code')
      expect(mail.content).toContain(SITE_URL)
      expect((await signIn({ emailCode: codeIn(mail) })).account).toBe('mei')
      expect(await world.database.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    })

    it('come in the language that the page asks for', async () => {
      await signIn().catch(() => undefined)
      await askForCode('mei', 0)
      const { parsed } = await smtp.mailTo(email)
      expect(parsed.subject).toBe('你的登录验证码')
      expect(parsed.html).toContain('lang="zh-CN"')
    })

    it('work once, for ten minutes, and five tries long', async () => {
      await signIn().catch(() => undefined)
      await askForCode()
      const code = await codeOf()
      for (let left = 4; left >= 0; left--) {
        await expect(signIn({ emailCode: other(code) })).rejects.toMatchObject({
          code: 'EMAIL_CODE_WRONG',
          details: { triesLeft: left },
        })
      }
      await expect(signIn({ emailCode: code })).rejects.toMatchObject({ code: 'EMAIL_CODE_EXPIRED' })
      await signIn().catch(() => undefined)
      await askForCode()
      const second = await codeOf(2)
      await later(10 * MINUTE_MS)
      await expect(signIn({ emailCode: second })).rejects.toMatchObject({ code: 'EMAIL_CODE_EXPIRED' })
      await signIn().catch(() => undefined)
      await askForCode()
      const third = await codeOf(3)
      await signIn({ emailCode: third })
      await expect(signIn({ emailCode: third })).rejects.toMatchObject({ code: 'EMAIL_CODE_EXPIRED' })
    })

    it('let one of 40 sign-ins with the same code through, and five of 40 guesses be tried (T47)', async () => {
      await signIn().catch(() => undefined)
      await askForCode()
      const code = await codeOf()
      // Sign-ins count their password first, one after the other; so the codes are tried in small crowds.
      const results: Array<PromiseSettledResult<unknown>> = []
      for (let round = 0; round < 10; round++) {
        results.push(...(await Promise.allSettled(Array.from({ length: 4 }, () => signIn({ emailCode: code })))))
      }
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await forgot()
      await codeOf(2)
      const guesses = await Promise.allSettled(
        Array.from({ length: 40 }, (_, at) => verify(String(at).padStart(6, '9'))),
      )
      const tried = guesses.filter(
        (guess) => guess.status === 'rejected' && (guess.reason as { code: string }).code === 'EMAIL_CODE_WRONG',
      )
      expect(tried.length).toBeLessThanOrEqual(5)
    })

    it('are sent at most every 60 s and five times an hour', async () => {
      await signIn().catch(() => undefined)
      expect(await askForCode()).toEqual(SENT)
      await later(20_000)
      expect(await askForCode()).toEqual({ resendAfterSeconds: 40, expiresInSeconds: 580 })
      for (let more = 0; more < 4; more++) {
        await later(MINUTE_MS)
        expect(await askForCode()).toEqual(SENT)
      }
      await later(MINUTE_MS)
      await expect(askForCode()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      await settled()
      expect(await mailsOf()).toHaveLength(5)
      await later(60 * MINUTE_MS)
      await signIn().catch(() => undefined)
      expect(await askForCode()).toEqual(SENT)
    })

    it('are never sent to somebody whose password was not proven, and nobody can use up theirs', async () => {
      for (let asked = 0; asked < 5; asked++) {
        expect(await askForCode()).toEqual(SENT)
        await later(MINUTE_MS)
      }
      await settled()
      expect(await mailsOf()).toEqual([])
      await signIn().catch(() => undefined)
      expect(await askForCode()).toEqual(SENT)
      expect((await signIn({ emailCode: await codeOf() })).account).toBe('mei')
    })

    it('cannot be skipped by any other door (T22)', async () => {
      await expect(signIn({ emailCode: '' })).rejects.toMatchObject({ wire: 4132 })
      await expect(signIn({ emailCode: WRONG_CODE })).rejects.toMatchObject({ code: 'EMAIL_CODE_EXPIRED' })
      await forgot()
      await reset(await verify(await codeOf()))
      await expect(signIn({ password: NEW_PASSWORD })).rejects.toMatchObject({ wire: 4132 })
      expect(await world.database.db.selectFrom('sessions').select('id').execute()).toEqual([])
      // The code of one purpose is none for the other.
      await later(MINUTE_MS)
      await forgot()
      await expect(signIn({ password: NEW_PASSWORD, emailCode: await codeOf(2) })).rejects.toMatchObject({
        code: 'EMAIL_CODE_EXPIRED',
      })
    })

    it('are not asked of accounts that are kept elsewhere, and need an address and a sender', async () => {
      await createUser(signIns.users, {
        account: 'domain_mei',
        email: '',
        password: PASSWORD,
        type: ACCOUNT_TYPE.domain,
      })
      expect((await signIn({ account: 'domain_mei' })).account).toBe('domain_mei')
      await createUser(signIns.users, { account: 'tom', email: '', password: PASSWORD })
      await expect(signIn({ account: 'tom' })).rejects.toMatchObject({ code: 'EMAIL_MISSING' })
      const unsent = openSignIns(world)
      unsent.switches.emailVerificationSwitch = 1
      unsent.switches.resetPasswordSwitch = 1
      const credentials = { account: 'mei', password: encodePassword(PASSWORD) }
      const notConfigured = { code: 'SYSTEM_MAIL_NOT_CONFIGURED' }
      await expect(login(unsent.auth, callerCtx(), credentials)).rejects.toMatchObject(notConfigured)
      await expect(sendResetCode(unsent.auth, callerCtx(), { email, language: 1 })).rejects.toMatchObject(notConfigured)
      await unsent.stop()
    })

    it('stand nowhere in the database, neither as they are nor as a plain hash', async () => {
      await forgot()
      const code = await codeOf()
      await settled()
      const token = await verify(code)
      const tables = ['email_codes', 'password_resets', 'jobs', 'outbox', 'sign_in_failures'] as const
      const rows = await Promise.all(tables.map((table) => world.database.db.selectFrom(table).selectAll().execute()))
      const text = JSON.stringify(rows)
      for (const secret of [`"${code}"`, token, hashToken(code)]) expect(text).not.toContain(secret)
    })

    it('set a forgotten password in three steps, and end every session', async () => {
      signIns.switches.emailVerificationSwitch = 0
      const { token } = await signIn()
      expect(await forgot()).toEqual(SENT)
      const mail = await smtp.mailTo(email)
      expect(mail.parsed.subject).toBe('你的重置密码验证码')
      const passToken = await verify(codeIn(mail))
      await expect(reset(passToken, 'short')).rejects.toMatchObject({ code: 'PASSWORD_WEAK' })
      await reset(passToken)
      expect(await signIns.auth.sessions.authenticate(token, true)).toBeUndefined()
      await expect(signIn()).rejects.toMatchObject({ wire: 1005 })
      expect((await signIn({ password: NEW_PASSWORD })).account).toBe('mei')
    })

    it('give a token that is good once, for ten minutes, for one account and for nothing else', async () => {
      await forgot()
      const passToken = await verify(await codeOf())
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => reset(passToken)))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await expect(reset(passToken)).rejects.toMatchObject({ code: 'RESET_TOKEN_INVALID' })
      expect(await signIns.auth.sessions.authenticate(passToken, true)).toBeUndefined()
      await later(MINUTE_MS)
      await forgot()
      const late = await verify(await codeOf(2))
      await later(10 * MINUTE_MS)
      await expect(reset(late)).rejects.toMatchObject({ code: 'RESET_TOKEN_INVALID' })
    })

    it('open an account that was locked by wrong passwords, once the mailbox is proven', async () => {
      signIns.switches.emailVerificationSwitch = 0
      for (let guess = 0; guess < 5; guess++) await signIn({ password: 'wrong' }).catch(() => undefined)
      await expect(signIn()).rejects.toMatchObject({ wire: 1050 })
      await forgot()
      await reset(await verify(await codeOf()))
      expect((await signIn({ password: NEW_PASSWORD })).account).toBe('mei')
    })

    it('answer alike for addresses that nobody has, and for accounts that are kept elsewhere (T19, T33)', async () => {
      const domain = `domain-${email}`
      await createUser(signIns.users, {
        account: 'domain_tom',
        email: domain,
        password: PASSWORD,
        type: ACCOUNT_TYPE.domain,
      })
      for (const address of [email, 'nobody@example.org', domain]) {
        expect(await forgot(address)).toEqual(SENT)
        expect(await forgot(address)).toMatchObject({ resendAfterSeconds: 60 })
        for (let left = 4; left >= 0; left--) {
          await expect(verify(WRONG_CODE, address)).rejects.toMatchObject({
            code: 'EMAIL_CODE_WRONG',
            details: { triesLeft: left },
          })
        }
        await expect(verify(WRONG_CODE, address)).rejects.toMatchObject({ code: 'EMAIL_CODE_EXPIRED' })
      }
      await settled()
      expect((await smtp.mails()).filter(({ recipients }) => recipients.includes(domain))).toEqual([])
      expect(await accountOfEmail(signIns.auth, callerCtx(), email)).toBe(email)
      expect(await accountOfEmail(signIns.auth, callerCtx(), ' nobody@example.org ')).toBe('nobody@example.org')
    })

    it('are closed with the switch of the site (5412)', async () => {
      await forgot()
      const code = await codeOf()
      const passToken = await verify(code)
      signIns.switches.resetPasswordSwitch = 0
      for (const step of [forgot(), verify(code), reset(passToken)]) {
        await expect(step).rejects.toMatchObject({ code: 'PASSWORD_RESET_DISABLED' })
      }
      await expect(sendResetCode(signIns.auth, callerCtx(), { email: 'x', language: 1 })).rejects.toMatchObject({
        code: 'PASSWORD_RESET_DISABLED',
      })
    })

    it('bound what one address asks for, whoever it asks about (T20)', async () => {
      const ask = (at: number) =>
        sendResetCode(signIns.auth, callerCtx({ address: `2001:db8:7:7::${at}` }), {
          email: `nobody${at}@example.org`,
          language: 1,
        })
      for (let at = 0; at < 100; at++) await ask(at)
      await expect(ask(100)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      const elsewhere = callerCtx({ address: '2001:db8:7:8::1' })
      expect(await sendResetCode(signIns.auth, elsewhere, { email, language: 1 })).toEqual(SENT)
    })

    it('are not needed to change the own password, which only normal accounts may, where the site lets them', async () => {
      signIns.switches.emailVerificationSwitch = 0
      const ctxOf = async (account: string) => {
        const { token } = await signIn({ account })
        return { ...callerCtx(), principal: await signIns.auth.sessions.authenticate(token, true) } as UserCtx
      }
      const change = { oldPassword: encodePassword(PASSWORD), newPassword: encodePassword(NEW_PASSWORD) }
      await createUser(signIns.users, { account: 'linux_mei', email: '', password: PASSWORD, type: ACCOUNT_TYPE.linux })
      const notAllowed = { code: 'PASSWORD_CHANGE_NOT_ALLOWED' }
      await expect(changePassword(signIns.auth, await ctxOf('linux_mei'), change)).rejects.toMatchObject(notAllowed)
      const ctx = await ctxOf('mei')
      signIns.switches.userPwdSwitch = 0
      await expect(changePassword(signIns.auth, ctx, change)).rejects.toMatchObject(notAllowed)
      signIns.switches.userPwdSwitch = 1
      await changePassword(signIns.auth, ctx, change)
      expect((await signIn({ password: NEW_PASSWORD })).account).toBe('mei')
    })

    it('go to the new address after a change, of which the old one is notified', async () => {
      signIns.switches.emailVerificationSwitch = 0
      const { token } = await signIn()
      const ctx = { ...callerCtx(), principal: await signIns.auth.sessions.authenticate(token, true) } as UserCtx
      await createUser(signIns.users, { account: 'tom', email: 'tom@example.org', password: PASSWORD })
      const change = (wanted: Parameters<typeof changeProfile>[2]) => changeProfile(signIns.auth, ctx, wanted)
      const password = encodePassword(PASSWORD)
      await expect(change({ email: 'TOM@example.org', password })).rejects.toMatchObject({ wire: 1014 })
      await expect(change({ email: `new-${email}` })).rejects.toMatchObject({ details: { field: 'password' } })
      const guessed = { email: `new-${email}`, password: encodePassword('wrong') }
      await expect(change(guessed)).rejects.toMatchObject({ wire: 1023 })
      for (const wrong of ['', 'mei', 'mei@example', 'mei@example.org\r\nBcc: x@example.org'])
        await expect(change({ email: wrong })).rejects.toMatchObject({ code: 'EMAIL_INVALID' })
      await expect(change({ name: 'a\nb' })).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      const moved = `new-${email}`
      await change({ email: moved, password, name: '梅', language: 0 })
      expect(await usersStore.byId(world.database.db, mei.id)).toMatchObject({
        email: moved,
        name: '梅',
        account: 'mei',
      })
      expect((await smtp.mailTo(email)).parsed.subject).toBe('你的邮箱已更改')
      await forgot(moved)
      expect(codeIn(await smtp.mailTo(moved))).toMatch(/^\d{6}$/)
    })

    it('are followed by mails in the language of the first sign-in, until another one is chosen', async () => {
      signIns.switches.emailVerificationSwitch = 0
      const credentials = { account: 'mei', password: encodePassword(PASSWORD) }
      const languageOf = async () => (await preferencesStore.of(world.database.db, mei.id)).language
      await Promise.all([1, 2, 3].map(() => login(signIns.auth, callerCtx({ locale: 'zh-CN' }), credentials)))
      await login(signIns.auth, callerCtx({ locale: 'en-US' }), credentials)
      expect(await languageOf()).toBe('zh-CN')
    })

    it('are worthless once the password was changed otherwise', async () => {
      await forgot()
      const passToken = await verify(await codeOf())
      await setPassword(signIns.users, mei, 'Starlight-88')
      await expect(reset(passToken)).rejects.toMatchObject({ code: 'RESET_TOKEN_INVALID' })
    })

    it('are worthless once the account has another address, which somebody else may read', async () => {
      const toAddress = (address: string) =>
        usersStore.update(world.database.db, mei.id, { email: address, email_key: address })
      await forgot()
      const code = await codeOf()
      await toAddress(`new-${email}`)
      await expect(verify(code)).rejects.toMatchObject({ code: 'EMAIL_CODE_EXPIRED' })
      await toAddress(email)
      await later(MINUTE_MS)
      await forgot()
      const passToken = await verify(await codeOf(2))
      await toAddress(`new-${email}`)
      await expect(reset(passToken)).rejects.toMatchObject({ code: 'RESET_TOKEN_INVALID' })
      await toAddress(email)
      await reset(passToken)
    })

    it('replace no password that was chosen while the new one was looked at', async () => {
      await forgot()
      const passToken = await verify(await codeOf())
      let meanwhile = async () => {
        meanwhile = () => Promise.resolve()
        await setPassword(signIns.users, mei, 'Starlight-88')
      }
      const slow = { ...signIns.auth, users: { ...signIns.users, refuseWeak: () => meanwhile() } }
      const late = resetPassword(slow, { passToken, password: encodePassword(NEW_PASSWORD) })
      await expect(late).rejects.toMatchObject({ code: 'RESET_TOKEN_INVALID' })
      signIns.switches.emailVerificationSwitch = 0
      expect((await signIn({ password: 'Starlight-88' })).account).toBe('mei')
    })
  })
}

describe('the doors of a forgotten password', () => {
  it('give no token and no new password to anybody without the code (T19)', async () => {
    expect(await fuzzResets(2_000)).toEqual({ tokens: 0, changes: 0 })
  })
})
