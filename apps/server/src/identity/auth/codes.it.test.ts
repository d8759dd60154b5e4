import { ACCOUNT_TYPE, encodePassword } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserCtx } from '../../kernel/context.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { openSignIns, SITE_URL, type SignIns } from '../../testing/sign-ins.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, preferencesStore, usersStore, type UserRow } from '../users/index.ts'
import { changePassword, login } from './auth.service.ts'
import { changeProfile } from './profile.service.ts'
import { sendResetCode } from './reset.service.ts'
import {
  codeSteps,
  MINUTE_MS,
  NEW_PASSWORD,
  openCodeSite,
  PASSWORD,
  SENT,
  WRONG_CODE,
  type CodeSite,
} from './testing/code-site.ts'

for (const { dialect, open } of DATABASES) {
  describe(`codes by e-mail on ${dialect}`, () => {
    let smtp: Smtp
    let site: CodeSite
    let world: World
    let signIns: SignIns
    let mei: UserRow
    let email: string
    const { signIn, askForCode, codeIn, codeOf, mailsOf, forgot, verify, reset, other, settled, later } = codeSteps(
      () => site,
    )

    beforeAll(async () => void (smtp = await launchSmtp()))
    afterAll(async () => smtp.stop())
    beforeEach(async () => {
      site = await openCodeSite(await open(), smtp)
      ;({ world, signIns, mei, email } = site)
    })
    afterEach(async () => site[Symbol.asyncDispose]())

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
  })
}
