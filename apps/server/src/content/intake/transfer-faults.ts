import type { FileFault } from '@godwit/transfer/endpoints'
import type { AppError } from '../../kernel/errors.ts'

/** What an error means for one file of a transfer. */
export function faultOf({ code }: AppError): FileFault['code'] {
  if (code === 'STORAGE_FULL' || code === 'QUOTA_EXCEEDED') return 'DISK_FULL'
  return code === 'UPLOAD_HASH_MISMATCH' ? 'HASH_MISMATCH' : 'TARGET_UNWRITABLE'
}

/** @throws what the first of them was rejected with */
export function throwFirst(results: ReadonlyArray<PromiseSettledResult<unknown>>): void {
  const rejected = results.find((result) => result.status === 'rejected')
  if (rejected !== undefined) throw rejected.reason
}
