import { SECURITY_LIMITS } from '@godwit/contract'
import { generateSecret, generateURI, verifySync } from 'otplib'

/** One period on either side: clocks of phones are off by seconds, and people take some to type. */
const TOLERANCE_S = SECURITY_LIMITS.totpPeriodMs / 1000

export interface CodeCheck {
  /** Base32. */
  readonly secret: string
  readonly code: string
  /** Unix ms. */
  readonly now: number
  /** Step of the last code that was taken: it and older ones are spent. */
  readonly lastStep: number
}

/**
 * @returns the step of a right code that was not used yet, else undefined
 * Source: RFC 6238, 4.2 and 5.2 (a code counts once)
 */
export function stepOfCode({ secret, code, now, lastStep }: CodeCheck): number | undefined {
  if (!isTotpCode(code)) return undefined
  const epoch = Math.floor(now / 1000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_S })
  if (!result.valid || !('timeStep' in result)) return undefined
  return result.timeStep > lastStep ? result.timeStep : undefined
}

export function isTotpCode(code: string): boolean {
  return code.length === SECURITY_LIMITS.totpDigits && /^[0-9]+$/.test(code)
}

export function newTotpSecret(): string {
  return generateSecret()
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(issuer: string, account: string, secret: string): string {
  return generateURI({ issuer, label: account, secret })
}
