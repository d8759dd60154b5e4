import { StorageError, type StorageReason } from '../errors.ts'

const BY_NAME: Readonly<Record<string, StorageReason>> = {
  NoSuchKey: 'not-found',
  NotFound: 'not-found',
  NoSuchUpload: 'upload-gone',
  // The bucket itself is missing: the error is not about a key.
  NoSuchBucket: 'unreachable',
  PreconditionFailed: 'exists',
  ConditionalRequestConflict: 'conflict',
  QuotaExceeded: 'no-space',
  EntityTooLarge: 'no-space',
  KeyTooLongError: 'invalid-key',
  InvalidPart: 'incomplete',
  EntityTooSmall: 'incomplete',
  BadDigest: 'corrupt',
}

const BY_STATUS: Readonly<Record<number, StorageReason>> = {
  401: 'permission',
  403: 'permission',
  404: 'not-found',
  405: 'permission',
  408: 'unreachable',
  412: 'exists',
  429: 'unreachable',
  507: 'no-space',
}

/** Runs `work` and turns the service's errors into StorageErrors; when cancelled, throws the signal's reason. */
export async function calling<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    signal?.throwIfAborted()
    throw asStorageError(error, key)
  }
}

function asStorageError(error: unknown, key: string): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error
  const status = statusOf(error)
  if (status !== undefined) {
    const reason = BY_NAME[error.name] ?? BY_STATUS[status] ?? (status >= 500 ? 'unreachable' : 'io')
    return new StorageError(reason, { key, cause: error })
  }
  // Refused connections, unknown hosts and time-outs carry the system's code.
  const isNetwork = 'code' in error || error.name === 'TimeoutError'
  return isNetwork ? new StorageError('unreachable', { key, cause: error }) : error
}

function statusOf(error: Error): number | undefined {
  if (!('$metadata' in error)) return undefined
  const metadata: unknown = error.$metadata
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined
}
