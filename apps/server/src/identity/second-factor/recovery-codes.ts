import { SECURITY_LIMITS } from '@godwit/contract'
import type { Random } from '@godwit/base'
import { hashToken } from '../../kernel/crypto/index.ts'

/** Digits and letters that nobody mistakes for one another; 32 of them, so that each is five random bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** Codes of 80 random bits, written in groups: `xxxx-xxxx-xxxx-xxxx`. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: SECURITY_LIMITS.recoveryCodes }, () => {
    const bytes = random.fill(new Uint8Array(LENGTH))
    const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
  })
}

/** Random enough for a plain hash. Case and dashes do not matter. */
export function hashRecoveryCode(userId: string, code: string): string {
  return hashToken(`${userId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
}
