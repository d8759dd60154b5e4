import type { UploadState } from '@godwit/contract'
import { StorageError, type StorageReason } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { storageError } from '../../foundation/storages/index.ts'

export function hasReason(thrown: unknown, ...reasons: readonly StorageReason[]): boolean {
  return thrown instanceof StorageError && reasons.includes(thrown.reason)
}

/** Why bytes were not taken, in words the sender understands. */
export function partFault(thrown: unknown): unknown {
  if (hasReason(thrown, 'source') && thrown instanceof Error && thrown.cause instanceof AppError) return thrown.cause
  if (hasReason(thrown, 'source')) return new AppError('UPLOAD_PART_INVALID', { reason: 'length' }, { cause: thrown })
  if (hasReason(thrown, 'upload-gone')) return new AppError('UPLOAD_FAILED', undefined, { cause: thrown })
  return thrown instanceof StorageError ? storageError(thrown) : thrown
}

/** Why an upload takes no bytes and cannot be completed in this state; undefined while it can. */
export function closedBecause(state: UploadState): AppError | undefined {
  switch (state) {
    case 'open':
      return undefined
    case 'processing':
      return new AppError('UPLOAD_BUSY')
    case 'failed':
      return new AppError('UPLOAD_FAILED')
    case 'expired':
      return new AppError('UPLOAD_EXPIRED')
    case 'aborted':
      return new AppError('UPLOAD_NOT_FOUND')
    case 'completed':
    case 'skipped':
      return new AppError('UPLOAD_PART_INVALID', { state })
    default:
      return state satisfies never
  }
}
