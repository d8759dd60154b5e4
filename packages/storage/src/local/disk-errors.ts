import { StorageError, type StorageReason } from '../errors.ts'

const REASONS: Readonly<Record<string, StorageReason>> = {
  ENOENT: 'not-found',
  EEXIST: 'exists',
  ENOTEMPTY: 'exists',
  ENOTDIR: 'not-a-folder',
  EISDIR: 'is-folder',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EFBIG: 'no-space',
  EROFS: 'read-only',
  EACCES: 'permission',
  EPERM: 'permission',
  // O_NOFOLLOW met a symbolic link.
  ELOOP: 'permission',
  ENAMETOOLONG: 'invalid-key',
  EILSEQ: 'invalid-key',
  ESTALE: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENOTCONN: 'unreachable',
  ENODEV: 'unreachable',
  // Out of descriptors: temporary.
  EMFILE: 'unreachable',
  ENFILE: 'unreachable',
}

/** The errno of a failed call ('ENOENT'), undefined for anything that did not come from the system. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The StorageError for the error of a disk call; everything else (aborts, bugs, StorageError) is returned unchanged. */
export function asStorageError(error: unknown, key: string): unknown {
  const errno = errnoOf(error)
  if (errno === undefined) return error
  return new StorageError(REASONS[errno] ?? 'io', { key, cause: error })
}

/** Runs `work` with its disk errors translated. */
export async function withStorageErrors<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStorageError(error, key)
  }
}

/** The result of `work`, or undefined when it fails with one of these errnos. */
export async function unless<T>(errnos: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const errno = errnoOf(error)
    if (errno !== undefined && errnos.includes(errno)) return undefined
    throw error
  }
}
