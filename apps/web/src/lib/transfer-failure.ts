import { ERRORS } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { PortalKey } from '@godwit/i18n/portal'
import type { Texts } from './texts.tsx'

/** Codes of the engine and of the network; those of the server are in the catalogue of errors. */
const KNOWN: Readonly<Record<string, PortalKey>> = {
  SOURCE_CHANGED: 'transfers.fault.changed',
  SOURCE_UNREADABLE: 'transfers.fault.unreadable',
  TARGET_UNWRITABLE: 'transfers.fault.unwritable',
  TARGET_NEWER: 'transfers.fault.newer',
  DISK_FULL: 'transfers.fault.full',
  HASH_MISMATCH: 'transfers.fault.hash',
  PATH_REFUSED: 'transfers.fault.path',
  LINK: 'transfers.fault.link',
  LINK_REFUSED: 'transfers.fault.link',
  NOT_A_FILE: 'transfers.fault.special',
  MANIFEST_INVALID: 'transfers.fault.format',
  MESSAGE_INVALID: 'transfers.fault.format',
  LIMIT_EXCEEDED: 'transfers.fault.limit',
  PEER_LOST: 'transfers.fault.lost',
  PEER_REFUSED: 'transfers.fault.refused',
  SERVER_REFUSED: 'transfers.fault.refused',
  NO_DIRECT_WAY: 'transfers.fault.network',
  CANCELLED: 'transfers.fault.cancelled',
  FILTER_INVALID: 'transfers.fault.filter',
  SCHEDULE_INVALID: 'transfers.fault.schedule',
  ECONNREFUSED: 'transfers.fault.network',
  ECONNRESET: 'transfers.fault.lost',
  ECONNABORTED: 'transfers.fault.lost',
  EPIPE: 'transfers.fault.lost',
  ETIMEDOUT: 'transfers.fault.network',
  EHOSTUNREACH: 'transfers.fault.network',
  EHOSTDOWN: 'transfers.fault.network',
  ENETUNREACH: 'transfers.fault.network',
  ENETDOWN: 'transfers.fault.network',
  EADDRNOTAVAIL: 'transfers.fault.network',
  EAI_AGAIN: 'transfers.fault.network',
  ENOTFOUND: 'transfers.fault.network',
  UND_ERR_CONNECT_TIMEOUT: 'transfers.fault.network',
  UND_ERR_HEADERS_TIMEOUT: 'transfers.fault.network',
  UND_ERR_BODY_TIMEOUT: 'transfers.fault.lost',
  UND_ERR_SOCKET: 'transfers.fault.lost',
  EACCES: 'transfers.fault.denied',
  EPERM: 'transfers.fault.denied',
  ENOENT: 'transfers.fault.gone',
  ENOSPC: 'transfers.fault.full',
}

/** A refusal of the transfer port says first whether trying again can help. */
const REFUSAL = /^(?:later|never) (?=[A-Z])/

/** Why a file or a transfer failed, in words; what nobody wrote words for stands behind some. */
export function failureText(code: string, texts: Texts): string {
  const reason = code.replace(REFUSAL, '')
  const name = reason.split(' ', 1)[0] ?? ''
  if (reason === 'PATH_REFUSED clash') return texts('transfers.fault.clash')
  if (Object.hasOwn(KNOWN, name)) return texts(KNOWN[name] as PortalKey)
  if (Object.hasOwn(ERRORS, name)) {
    const { wire } = ERRORS[name as keyof typeof ERRORS]
    return texts.failure(new ApiError({ code: wire, message: '' }))
  }
  return texts('transfers.fault.other', { reason })
}
