import { EXIT, type ExitCode } from './exit-codes.ts'

interface SystemFault {
  readonly exit: ExitCode
  readonly text: string
}

/** What the system says of a file that a command was given, or of the data folder. */
const FAULTS: Readonly<Record<string, SystemFault>> = {
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
export function systemFault(thrown: unknown): { readonly exit: ExitCode; readonly message: string } | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('syscall' in thrown)) return undefined
  const fault = FAULTS[String(thrown.code)]
  if (fault === undefined) return undefined
  const place = 'path' in thrown && typeof thrown.path === 'string' ? `${thrown.path}: ` : ''
  return { exit: fault.exit, message: `${place}${fault.text}` }
}
