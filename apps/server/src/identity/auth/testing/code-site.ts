import { randomHex, secureRandom } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import type { KeptMail, Smtp } from '@godwit/testkit'
import { openSignIns, type SignIns } from '../../../testing/sign-ins.ts'
import { callerCtx, type World } from '../../../testing/worlds.ts'
import { createUser, type UserRow } from '../../users/index.ts'
import { login, sendSignInCode } from '../auth.service.ts'
import { resetPassword, sendResetCode, verifyResetCode } from '../reset.service.ts'

export const PASSWORD = 'Sunrise-42x'
export const NEW_PASSWORD = 'Moonlight-77'
export const SENT = { resendAfterSeconds: 60, expiresInSeconds: 600 }
export const MINUTE_MS = 60_000
export const WRONG_CODE = '000000'

/** An account in a world of its own, whose sign-in asks for a code and whose password may be reset by one. */
export interface CodeSite extends AsyncDisposable {
  readonly world: World
  readonly smtp: Smtp
  readonly signIns: SignIns
  readonly mei: UserRow
  /** Everybody has a mailbox of their own, so that tests do not read each other's mail. */
  readonly email: string
}

/** @param smtp runs on when the site has ended. */
export async function openCodeSite(world: World, smtp: Smtp): Promise<CodeSite> {
  const signIns = openSignIns(world, smtp)
  Object.assign(signIns.switches, { emailVerificationSwitch: 1, resetPasswordSwitch: 1 })
  const email = `mei-${randomHex(secureRandom, 6)}@example.org`
  const mei = await createUser(signIns.users, { account: 'mei', email, password: PASSWORD })
  return {
    ...{ world, smtp, signIns, mei, email },
    async [Symbol.asyncDispose]() {
      await signIns.stop()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** What somebody at a page does with codes, and reads in the mailbox. @param on the site of the running test */
export function codeSteps(on: () => CodeSite) {
  const signIn = (
    change: { readonly account?: string; readonly password?: string; readonly emailCode?: string } = {},
  ) =>
    login(on().signIns.auth, callerCtx(), {
      account: change.account ?? 'mei',
      password: encodePassword(change.password ?? PASSWORD),
      emailCode: change.emailCode,
    })
  const askForCode = (account = 'mei', language = 1) =>
    sendSignInCode(on().signIns.auth, callerCtx(), { account, language })
  const codeIn = (mail: KeptMail) => /^\d{6}$/m.exec(mail.parsed.text ?? '')?.[0] ?? ''
  const codeOf = async (count = 1) => codeIn(await on().smtp.mailTo(on().email, count))
  const mailsOf = async () => (await on().smtp.mails()).filter(({ recipients }) => recipients.includes(on().email))
  const forgot = (address = on().email, language = 0) =>
    sendResetCode(on().signIns.auth, callerCtx(), { email: address, language })
  const verify = (code: string, address = on().email) => verifyResetCode(on().signIns.auth, { email: address, code })
  const reset = (passToken: string, password = NEW_PASSWORD) =>
    resetPassword(on().signIns.auth, { passToken, password: encodePassword(password) })
  const other = (code: string) => (code === WRONG_CODE ? '111111' : WRONG_CODE)
  /** Waits until every queued mail was taken or dropped. */
  const settled = async () => {
    for (;;) {
      const open = await on()
        .world.database.db.selectFrom('jobs')
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
    on().world.clock.advance(ms)
  }

  return { signIn, askForCode, codeIn, codeOf, mailsOf, forgot, verify, reset, other, settled, later }
}
