import type { PortalKey } from '@godwit/i18n/portal'
import type { Texts } from '../../../lib/texts.tsx'

/** Codes of the engine, and of the server where it ends a transfer. */
const KNOWN: Readonly<Record<string, PortalKey>> = {
  SOURCE_CHANGED: 'console-transfers.fault.changed',
  SOURCE_UNREADABLE: 'console-transfers.fault.unreadable',
  TARGET_UNWRITABLE: 'console-transfers.fault.unwritable',
  DISK_FULL: 'console-transfers.fault.full',
  HASH_MISMATCH: 'console-transfers.fault.hash',
  LINK_REFUSED: 'console-transfers.fault.link',
  PATH_REFUSED: 'console-transfers.fault.path',
  QUOTA_EXCEEDED: 'console-transfers.fault.full',
  STORAGE_FULL: 'console-transfers.fault.full',
  UPLOAD_HASH_MISMATCH: 'console-transfers.fault.hash',
  PERMISSION_DENIED: 'console-transfers.fault.permission',
}

/** Why a file or a transfer failed, in words; the code itself where nobody wrote them. */
export function failureText(code: string, texts: Texts): string {
  const known = KNOWN[code.split(' ', 1)[0] ?? '']
  return known === undefined ? code : texts(known)
}
