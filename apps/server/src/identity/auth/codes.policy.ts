import type { Random } from '@godwit/base'
import { LIMITS } from '@godwit/contract'

export const CODE_RULE = {
  digits: LIMITS.codeDigits,
  lifeMs: LIMITS.codeLifeMs,
  tries: LIMITS.codeTries,
  resendMs: LIMITS.codeResendMs,
  /** Codes an account is sent in an hour. */
  perHour: 5,
  /** Codes one address asks for in an hour: offices share addresses. */
  perAddressAndHour: 100,
} as const

const HOUR_MS = 3_600_000
export const SUBJECT_RULE = { attempts: CODE_RULE.perHour, windowMs: HOUR_MS } as const
export const ADDRESS_RULE = { attempts: CODE_RULE.perAddressAndHour, windowMs: HOUR_MS } as const

/** Digits with equal chances: draws that would favour the low ones are drawn again. */
export function newCode(random: Random, digits: number = CODE_RULE.digits): string {
  const ceiling = 10 ** digits
  const usable = Math.floor(2 ** 32 / ceiling) * ceiling
  for (;;) {
    const [drawn = 0] = new Uint32Array(random.fill(new Uint8Array(4)).buffer)
    if (drawn < usable) return String(drawn % ceiling).padStart(digits, '0')
  }
}

/** Milliseconds until another code is sent; 0: now. */
export function pauseLeft(sentAt: number, now: number): number {
  return Math.max(0, sentAt + CODE_RULE.resendMs - now)
}

/** What people paste: spaces within and around count for nothing. @returns undefined when it cannot be a code */
export function typedCode(text: string): string | undefined {
  const plain = text.replaceAll(/\s/g, '')
  return plain.length === CODE_RULE.digits && /^[0-9]+$/.test(plain) ? plain : undefined
}

/** `m…@example.org`: enough to know which mailbox to look into. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '' : `${email.slice(0, 1)}…${email.slice(at)}`
}
