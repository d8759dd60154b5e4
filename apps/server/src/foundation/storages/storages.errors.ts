import type { ErrorName } from '@godwit/contract'
import { StorageError, type StorageReason } from '@godwit/storage'
import type { MarkState } from './storages.marks.ts'

/** The storage that is there is not the one that was expected; nothing may be done in it. */
export class WrongStorage extends StorageError {
  override readonly name = 'WrongStorage'
  readonly found: Exclude<MarkState, 'ours'> | 'missing'
  constructor(found: WrongStorage['found'], cause?: unknown) {
    super('unreachable', { cause })
    this.found = found
  }
}

const BY_REASON: Readonly<Partial<Record<StorageReason, ErrorName>>> = {
  'no-space': 'STORAGE_FULL',
  'read-only': 'STORAGE_READ_ONLY',
  permission: 'STORAGE_PERMISSION',
  'not-found': 'STORAGE_UNREACHABLE',
}

/** What services call it when the account, the bucket or the address is wrong; a person mends each of them differently. */
const BY_SERVICE: Readonly<Record<string, ErrorName>> = {
  InvalidAccessKeyId: 'STORAGE_CREDENTIALS_WRONG',
  SignatureDoesNotMatch: 'STORAGE_CREDENTIALS_WRONG',
  InvalidToken: 'STORAGE_CREDENTIALS_WRONG',
  ExpiredToken: 'STORAGE_CREDENTIALS_WRONG',
  NoSuchBucket: 'STORAGE_BUCKET_NOT_FOUND',
  PermanentRedirect: 'STORAGE_ENDPOINT_INVALID',
  AuthorizationHeaderMalformed: 'STORAGE_ENDPOINT_INVALID',
  IllegalLocationConstraintException: 'STORAGE_ENDPOINT_INVALID',
  InvalidBucketName: 'STORAGE_BUCKET_NOT_FOUND',
  SlowDown: 'STORAGE_THROTTLED',
  AuthenticationFailed: 'STORAGE_CREDENTIALS_WRONG',
  InvalidAuthenticationInfo: 'STORAGE_CREDENTIALS_WRONG',
  ContainerNotFound: 'STORAGE_BUCKET_NOT_FOUND',
  ServerBusy: 'STORAGE_THROTTLED',
}

/** What is wrong with a storage as a whole. @returns undefined for what is no fault of a storage */
export function storageHealthCode(thrown: unknown): ErrorName | undefined {
  if (!(thrown instanceof StorageError)) return undefined
  if (thrown instanceof WrongStorage) return 'STORAGE_NOT_OURS'
  const service = thrown.cause instanceof Error ? BY_SERVICE[thrown.cause.name] : undefined
  return service ?? BY_REASON[thrown.reason] ?? 'STORAGE_UNREACHABLE'
}
