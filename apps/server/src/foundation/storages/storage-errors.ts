import type { ErrorName } from '@godwit/contract'
import { StorageError, type StorageReason } from '@godwit/storage'
import { AppError, toAppError } from '../../kernel/errors.ts'

const CODES: Readonly<Record<StorageReason, ErrorName>> = {
  'not-found': 'PATH_NOT_FOUND',
  exists: 'PATH_EXISTS',
  'not-a-folder': 'PATH_IS_FILE',
  'is-folder': 'PATH_IS_FOLDER',
  'invalid-key': 'PATH_TOO_LONG',
  'no-space': 'STORAGE_FULL',
  'read-only': 'STORAGE_READ_ONLY',
  permission: 'STORAGE_PERMISSION',
  unreachable: 'STORAGE_UNREACHABLE',
  conflict: 'FILE_CHANGED',
  source: 'TRANSFER_DISCONNECTED',
  'upload-gone': 'UPLOAD_NOT_FOUND',
  'upload-failed': 'UPLOAD_FAILED',
  incomplete: 'UPLOAD_INCOMPLETE',
  corrupt: 'FILE_CORRUPT',
  io: 'TRANSFER_READ_FAILED',
}

/**
 * The one mapping of a storage's refusal to an error with a code.
 * Names were checked before a key was made, so the only invalid key left is one that is too long for this storage.
 */
export function storageError(thrown: unknown): AppError {
  if (!(thrown instanceof StorageError)) return toAppError(thrown)
  return new AppError(CODES[thrown.reason], undefined, { cause: thrown })
}

/** Runs `work` and throws its storage errors as AppErrors. */
export async function withAppErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw storageError(thrown)
  }
}
