import { ERRORS } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { PortalKey } from '@godwit/i18n/portal'
import type { Texts } from './texts.tsx'

/** Codes of the engine; the server's own are in the catalogue of errors. */
const ENGINE: Readonly<Record<string, PortalKey>> = {
  SOURCE_CHANGED: 'transfers.fault.changed',
  SOURCE_UNREADABLE: 'transfers.fault.unreadable',
  TARGET_UNWRITABLE: 'transfers.fault.unwritable',
  DISK_FULL: 'transfers.fault.full',
  HASH_MISMATCH: 'transfers.fault.hash',
  PATH_REFUSED: 'transfers.fault.path',
  LINK_REFUSED: 'transfers.fault.path',
}

/** Why a file or a transfer failed, in words; the code itself where nobody wrote them. */
export function failureText(code: string, texts: Texts): string {
  const name = code.split(' ', 1)[0] ?? ''
  const known = ENGINE[name]
  if (known !== undefined) return texts(known)
  const spec = Object.entries(ERRORS).find(([each]) => each === name)?.[1]
  return spec === undefined ? code : texts.failure(new ApiError({ code: spec.wire, message: '' }))
}
