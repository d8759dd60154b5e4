import { secureRandom } from '@godwit/base'
import { fingerprintOf, fragmentOf, newSecretKey, publicOf } from '../sealed/index.ts'

export interface NewLinkKey {
  /** For the server. */
  readonly sealedBy: string
  /** Behind the addresses of guests and of the owner. */
  readonly forGuests: string
  readonly forOwner: string
}

/** The key of a new encrypted link; guests of a share link open its files, those of an invite link only seal. */
export function newLinkKey(kind: 'share' | 'invite'): NewLinkKey {
  const key = newSecretKey(secureRandom)
  const forOwner = fragmentOf(key)
  return { sealedBy: fingerprintOf(key), forOwner, forGuests: kind === 'share' ? forOwner : fragmentOf(publicOf(key)) }
}
