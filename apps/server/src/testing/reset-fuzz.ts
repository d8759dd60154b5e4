import { seededRandom, type Random } from '@godwit/base'
import { encodePassword, MAIL_ENCRYPTION, MAIL_PROVIDERS } from '@godwit/contract'
import { saveSender, SYSTEM } from '../foundation/mail/index.ts'
import { createUser } from '../identity/users/index.ts'
import { resetPassword, sendResetCode, verifyResetCode } from '../identity/auth/reset.service.ts'
import { codesStore } from '../identity/auth/codes.store.ts'
import { openSignIns } from './sign-ins.ts'
import { callerCtx, openWorld } from './worlds.ts'

const PASSWORD = 'Sunrise-42x'
const EMAIL = 'mei@example.org'
const NOWHERE = {
  emailFromName: 'Godwit',
  emailType: MAIL_PROVIDERS.other.wire,
  emailAccount: 'godwit@example.org',
  emailPassword: encodePassword('unused'),
  emailSmtpHost: 'mail.invalid',
  emailSmtpPort: 465,
  emailEncryptType: MAIL_ENCRYPTION.ssl,
}
/** Shapes in which people and programs send what is no code and no token. */
const ODD: readonly string[] = [
  '',
  ' ',
  '0',
  '000000',
  '-1',
  '1e6',
  'null',
  'undefined',
  '[object Object]',
  '%00',
  "' or '1'='1",
  '٠٠٠٠٠٠',
]
const ODD_MAILS: readonly string[] = [
  EMAIL,
  'MEI@EXAMPLE.ORG',
  ' mei@example.org',
  'mei@example.org ',
  'mei',
  '',
  'nobody@example.org',
]

/**
 * Tries, in any order, everything that the doors of a forgotten password take, without ever reading a mail.
 * @returns the tokens and passwords that were got by it
 */
export async function fuzzResets(rounds: number): Promise<{ readonly tokens: number; readonly changes: number }> {
  await using world = await openWorld()
  const signIns = openSignIns(world)
  signIns.switches.resetPasswordSwitch = 1
  const { auth } = signIns
  // The codes must go somewhere; nobody reads them there.
  await saveSender(signIns.senders, SYSTEM, NOWHERE)
  await createUser(signIns.users, { account: 'mei', email: EMAIL, password: PASSWORD })
  const random = seededRandom(7)
  const got = { tokens: 0, changes: 0 }
  for (let round = 0; round < rounds; round++) {
    // Codes are refused after five tries and five an hour: the clock moves on, so that there is always one to guess.
    if (round % 6 === 0) {
      world.clock.advance(13 * 60_000)
      await sendResetCode(auth, callerCtx({ address: `203.0.113.${round % 250}` }), {
        email: EMAIL,
        language: 1,
      }).catch(() => undefined)
    }
    const code = drawn(random, ODD)
    await verifyResetCode(auth, { email: drawn(random, ODD_MAILS), code }).then(
      () => got.tokens++,
      () => undefined,
    )
    const passToken = drawn(random, [...ODD, `${drawn(random, ODD)}.${drawn(random, ODD)}`])
    await resetPassword(auth, { passToken, password: encodePassword('Moonlight-77') }).then(
      () => got.changes++,
      () => undefined,
    )
    if (round % 1000 === 999) await codesStore.removeExpired(world.database.db, world.clock.now())
  }
  await signIns.stop()
  return got
}

/** One of the odd ones, or random letters. */
function drawn(random: Random, odd: readonly string[]): string {
  const [pick = 0, length = 0, ...letters] = random.fill(new Uint8Array(18))
  if (pick < 128) return odd[pick % odd.length] ?? ''
  return String.fromCharCode(...letters.slice(0, length % 16))
}
