import { EXIT, type ExitCode } from './exit-codes.ts'

/** What an operator can mend, in one line, and the exit code. */
export interface Fault {
  readonly exit: ExitCode
  readonly message: string
}

/** What the system says of a file that a command was given, or of the data folder. */
const FAULTS: Readonly<Record<string, { readonly exit: ExitCode; readonly text: string }>> = {
  ENOENT: { exit: EXIT.notFound, text: 'there is nothing at this place' },
  EACCES: { exit: EXIT.refused, text: 'this account may not do that here' },
  EPERM: { exit: EXIT.refused, text: 'this account may not do that here' },
  EISDIR: { exit: EXIT.refused, text: 'this is a folder, not a file' },
  ENOTDIR: { exit: EXIT.refused, text: 'a part of this path is a file, not a folder' },
  EEXIST: { exit: EXIT.refused, text: 'something else is already at this place' },
  EROFS: { exit: EXIT.unavailable, text: 'the disk is read-only' },
  ENOSPC: { exit: EXIT.unavailable, text: 'the disk is full' },
}

/** @returns undefined for what is no fault of the file system */
export function systemFault(thrown: unknown): Fault | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('syscall' in thrown)) return undefined
  const fault = FAULTS[String(thrown.code)]
  if (fault === undefined) return undefined
  const place = 'path' in thrown && typeof thrown.path === 'string' ? `${thrown.path}: ` : ''
  return { exit: fault.exit, message: `${place}${fault.text}` }
}

/** The database is there and does not let itself be used: damaged, read-only, or closed to this account. */
const DATABASE =
  /^(?:SQLITE_(?:NOTADB|CORRUPT|READONLY|CANTOPEN|FULL|IOERR|PERM|AUTH)|ER_(?:ACCESS_DENIED|DBACCESS_DENIED|BAD_DB)_ERROR)/

/** @returns undefined for what is no fault of a database; also found as the cause of what was thrown */
export function databaseFault(thrown: unknown): Fault | undefined {
  if (!(thrown instanceof Error)) return undefined
  if ('code' in thrown && DATABASE.test(String(thrown.code))) {
    return { exit: EXIT.unavailable, message: `the database cannot be used: ${thrown.message}` }
  }
  return databaseFault(thrown.cause)
}
