/**
 * What can go wrong in a transfer, for reasons outside the program.
 * `retry` says whether trying again later can help without anyone changing anything.
 */
export const TRANSFER_ERRORS = {
  PATH_REFUSED: { retry: 'never', text: 'the peer named a file this side does not accept' },
  MANIFEST_INVALID: { retry: 'never', text: 'the peer sent a file list that breaks the format' },
  MESSAGE_INVALID: { retry: 'never', text: 'the peer sent a message that breaks the format' },
  LIMIT_EXCEEDED: { retry: 'never', text: 'a limit of this side was exceeded' },
  SOURCE_CHANGED: { retry: 'later', text: 'a source file changed while it was sent' },
  SOURCE_UNREADABLE: { retry: 'later', text: 'a source file could not be read' },
  TARGET_UNWRITABLE: { retry: 'later', text: 'a target file could not be written' },
  DISK_FULL: { retry: 'later', text: 'the target disk is full' },
  HASH_MISMATCH: { retry: 'later', text: 'data on disk does not match its hash' },
  PEER_LOST: { retry: 'later', text: 'the connection to the peer was lost' },
  PEER_REFUSED: { retry: 'never', text: 'the peer refused the transfer' },
  SERVER_REFUSED: { retry: 'never', text: 'the server between the two refused' },
  NO_DIRECT_WAY: { retry: 'later', text: 'no direct way to the peer was found, and the relay is not to be used' },
  CANCELLED: { retry: 'never', text: 'the transfer was cancelled' },
  FILTER_INVALID: { retry: 'never', text: 'a filter pattern cannot be understood' },
  SCHEDULE_INVALID: { retry: 'never', text: 'a speed schedule cannot be understood' },
} as const satisfies Record<string, { retry: 'never' | 'later'; text: string }>

export type TransferErrorCode = keyof typeof TRANSFER_ERRORS

/** Details are for people and logs: short, and never file contents or keys. */
export class TransferError extends Error {
  readonly code: TransferErrorCode
  readonly details: Readonly<Record<string, string | number>>

  constructor(
    code: TransferErrorCode,
    details: Readonly<Record<string, string | number>> = {},
    options?: { cause?: unknown },
  ) {
    super(`${TRANSFER_ERRORS[code].text}${describe(details)}`, options)
    this.name = 'TransferError'
    this.code = code
    this.details = details
  }
}

function describe(details: Readonly<Record<string, string | number>>): string {
  const parts = Object.entries(details).map(([key, value]) => `${key}: ${value}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
