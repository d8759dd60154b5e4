/** What went wrong, independent of the provider. Callers branch on this, never on a message or a foreign code. */
export type StorageReason =
  /** The key, or a folder on the way to it, does not exist. */
  | 'not-found'
  /** The target name is taken and replacing was not requested (or it is a folder that is not empty). */
  | 'exists'
  /** There is a file where a folder is needed. */
  | 'not-a-folder'
  /** There is a folder where a file is needed. */
  | 'is-folder'
  /** A key that no provider may touch: `..`, absolute, NUL, lone surrogate, hidden name, too long. */
  | 'invalid-key'
  /** Disk full, quota of the account used up, or the reserve would be broken. */
  | 'no-space'
  | 'read-only'
  /** The storage denies access, or the file is a link to somewhere else. */
  | 'permission'
  /** Network, time-out, unmounted disk, 5xx after all retries. Retrying later may help. */
  | 'unreachable'
  /** Changed by someone else in the middle of the operation. Reading again and repeating is safe. */
  | 'conflict'
  /** The source of a part ended early, ran over or failed; what was reported durable stays. */
  | 'source'
  /** The upload is unknown: aborted, swept, or completed and moved on. */
  | 'upload-gone'
  /** A flush to disk failed once: this upload cannot be trusted any more and must start over. */
  | 'upload-failed'
  /** Parts are missing or do not add up to the announced size. */
  | 'incomplete'
  /** Stored bytes differ from what was written. */
  | 'corrupt'
  /** Any other disk or service error; see the cause. */
  | 'io'

export interface StorageErrorOptions {
  readonly key?: string
  readonly cause?: unknown
}

/** The only error a store throws besides the reason of an aborted signal and errors that only a bug can cause. */
export class StorageError extends Error {
  readonly reason: StorageReason
  /** The key concerned. For logs only: never shown to another user. */
  readonly key: string | undefined

  constructor(reason: StorageReason, options: StorageErrorOptions = {}) {
    super(`storage: ${reason}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StorageError'
    this.reason = reason
    this.key = options.key
  }
}
