import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import { groupOfBucket } from './quota-buckets.ts'
import { quotasStore, type QuotaChange } from './quotas.store.ts'

export interface QuotasDeps {
  readonly db: Db
  readonly dialect: DialectName
  /** For accounts without a limit of their own; 0: no limit. */
  readonly defaultBytes: number
}

export interface Usage {
  /** Bytes kept and reserved. */
  readonly usedBytes: number
  /** 0: no limit. */
  readonly quotaBytes: number
}

/**
 * What accounts and groups may keep, each in a bucket as `bucketOf()` names it. Bytes are reserved before they are written,
 * become used when their file becomes visible, and are freed when it goes. Every method belongs into the transaction of the change it accounts for.
 */
export interface Quotas {
  /** @throws AppError QUOTA_EXCEEDED */
  reserveBytes(tx: Db | Tx, bucket: string, bytes: number): Promise<void>
  /** Turns a reservation into used bytes; the two differ when the result is shorter or replaces something. */
  commitBytes(tx: Db | Tx, bucket: string, bytes: { readonly reserved: number; readonly used: number }): Promise<void>
  /** Gives a reservation back. */
  releaseBytes(tx: Db | Tx, bucket: string, bytes: number): Promise<void>
  /** Files went away. */
  freeBytes(tx: Db | Tx, bucket: string, bytes: number): Promise<void>
  usageOf(bucket: string): Promise<Usage>
}

export function createQuotas({ db, dialect, defaultBytes }: QuotasDeps): Quotas {
  async function limitOf(tx: Db | Tx, bucket: string): Promise<number> {
    const groupId = groupOfBucket(bucket)
    // Nobody can open a group that was removed, so it needs no limit.
    if (groupId !== undefined) return Number((await groupsStore.byId(tx, groupId))?.quota_bytes ?? 0)
    return (await usersStore.byId(tx, bucket))?.quota_bytes ?? defaultBytes
  }

  return {
    async reserveBytes(tx, bucket, bytes) {
      const limit = await limitOf(tx, bucket)
      if (!(await quotasStore.isKnown(tx, bucket))) await quotasStore.ensure(tx, dialect, bucket)
      if (await quotasStore.reserve(tx, bucket, bytes, limit)) return
      const { usedBytes, reservedBytes } = await quotasStore.of(tx, bucket)
      throw new AppError('QUOTA_EXCEEDED', { quotaBytes: limit, usedBytes, reservedBytes, wantedBytes: bytes })
    },
    commitBytes: (tx, bucket, { reserved, used }) =>
      quotasStore.change(tx, { bucket, usedBytes: used, reservedBytes: -reserved }),
    releaseBytes: (tx, bucket, bytes) => quotasStore.change(tx, { bucket, usedBytes: 0, reservedBytes: -bytes }),
    freeBytes: (tx, bucket, bytes) => quotasStore.change(tx, { bucket, usedBytes: -bytes, reservedBytes: 0 }),
    async usageOf(bucket) {
      const { usedBytes, reservedBytes } = await quotasStore.of(db, bucket)
      return { usedBytes: usedBytes + reservedBytes, quotaBytes: await limitOf(db, bucket) }
    },
  }
}

/** Adds to what is booked for an account; neither counter falls below 0. */
export function changeUsage(tx: Db | Tx, change: QuotaChange): Promise<void> {
  return quotasStore.change(tx, change)
}
