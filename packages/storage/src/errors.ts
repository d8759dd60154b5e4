/** What went wrong, in words every provider can say. Callers branch on this, never on a message or a foreign code. */
export type StorageReason =
  /** The key, or a folder on the way to it, does not exist. */
  | 'not-found'
  /** The target name is taken and replacing it was not asked for (or it is a folder that is not empty). */
  | 'exists'
  /** A file stands where a folder is needed. */
  | 'not-a-folder'
  /** A folder stands where a file is needed. */
  | 'is-folder'
  /** A key that no provider may touch: `..`, absolute, NUL, lone surrogate, hidden name, too long. */
  | 'invalid-key'
  /** Disk full, quota of the account used up, or the reserve would be broken. */
  | 'no-space'
  | 'read-only'
  /** The storage refuses our account, or the file is a link to somewhere else. */
  | 'permission'
  /** Network, time-out, unmounted disk, 5xx after all retries. Later may help. */
  | 'unreachable'
  /** Changed by someone else in the middle of the operation. Reading again and repeating is safe. */
  | 'conflict'
  /** The source of a part ended early, ran over or failed; what was reported durable stays. */
  | 'source'
  /** The upload is unknown: aborted, swept, or completed and moved on. */
  | 'upload-gone'
  /** A flush to disk failed once: this upload can never be trusted again and must be started anew. */
  | 'upload-failed'
  /** Parts are missing or do not add up to the announced size. */
  | 'incomplete'
  /** Stored bytes are not what was written. */
  | 'corrupt'
  /** A disk or service error without a better word; see the cause. */
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
