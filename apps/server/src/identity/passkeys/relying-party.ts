import { isIP } from 'node:net'
import { AppError } from '../../kernel/errors.ts'

/** For which site passkeys are made and taken. */
export interface RelyingParty {
  readonly origin: string
  /** Host name, without the port. */
  readonly id: string
}

/**
 * The configured address decides; only without one the address of the page that asks, which the edge has compared with the
 * host of the request. A passkey made for one name never opens another: the browser signs the name with it.
 * @throws AppError PASSKEY_UNAVAILABLE for an address without a name, or without TLS
 */
export function relyingParty(publicUrl: string, origin: string | undefined): RelyingParty {
  const text = publicUrl === '' ? (origin ?? '') : publicUrl
  if (!URL.canParse(text)) throw new AppError('PASSKEY_UNAVAILABLE')
  const { protocol, hostname, origin: ownOrigin } = new URL(text)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNamed = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
  if (!isNamed || !(protocol === 'https:' || (protocol === 'http:' && isLocal)))
    throw new AppError('PASSKEY_UNAVAILABLE')
  return { origin: ownOrigin, id: hostname }
}
