import { ACCOUNT_TYPE, encodePassword } from '@godwit/contract'
import { launchSmtp, type Smtp } from '@godwit/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fuzzResets } from '../../testing/reset-fuzz.ts'
import type { SignIns } from '../../testing/sign-ins.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, setPassword, usersStore, type UserRow } from '../users/index.ts'
import { accountOfEmail } from './auth.service.ts'
import { resetPassword, sendResetCode } from './reset.service.ts'
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
    const { signIn, codeIn, codeOf, forgot, verify, reset, settled, later } = codeSteps(() => site)

    beforeAll(async () => void (smtp = await launchSmtp()))
    afterAll(async () => smtp.stop())
    beforeEach(async () => {
      site = await openCodeSite(await open(), smtp)
      ;({ world, signIns, mei, email } = site)
    })
    afterEach(async () => site[Symbol.asyncDispose]())

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
