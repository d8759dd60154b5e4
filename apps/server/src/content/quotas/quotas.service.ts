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
  /** What a person is shown as used: bytes kept, and of unfinished uploads those that have arrived. */
  shownUsageOf(bucket: string): Promise<Usage>
  /** Brings in a count of the bytes that have arrived for a bucket and are not kept yet. Before the start only. */
  countArrived(arrivedIn: (bucket: string) => Promise<number>): void
  /** Bytes kept and reserved in several buckets; those without any are left out. */
  usedIn(buckets: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Limit of accounts without one of their own; 0: none. */
  readonly defaultBytes: number
}

export function createQuotas({ db, dialect, defaultBytes }: QuotasDeps): Quotas {
  const arrived: Array<(bucket: string) => Promise<number>> = []

  async function limitOf(tx: Db | Tx, bucket: string): Promise<number> {
    const groupId = groupOfBucket(bucket)
    // Nobody can open a group that was removed, so it needs no limit.
    if (groupId !== undefined) return Number((await groupsStore.byId(tx, groupId))?.quota_bytes ?? 0)
    return (await usersStore.byId(tx, bucket))?.quota_bytes ?? defaultBytes
  }

  return {
    defaultBytes,
    usedIn: (buckets) => quotasStore.ofMany(db, buckets),
    async reserveBytes(tx, bucket, bytes) {
      const limit = await limitOf(tx, bucket)
      if (!(await quotasStore.isKnown(tx, bucket))) await quotasStore.ensure(tx, dialect, bucket)
      if (await quotasStore.reserve(tx, bucket, bytes, limit)) return
      const { usedBytes, reservedBytes } = await quotasStore.of(tx, bucket)
      const groupId = groupOfBucket(bucket)
      const figures = { quotaBytes: limit, usedBytes, reservedBytes, wantedBytes: bytes }
      throw new AppError('QUOTA_EXCEEDED', groupId === undefined ? figures : { ...figures, groupId })
    },
    commitBytes: (tx, bucket, { reserved, used }) =>
      quotasStore.change(tx, { bucket, usedBytes: used, reservedBytes: -reserved }),
    releaseBytes: (tx, bucket, bytes) => quotasStore.change(tx, { bucket, usedBytes: 0, reservedBytes: -bytes }),
    freeBytes: (tx, bucket, bytes) => quotasStore.change(tx, { bucket, usedBytes: -bytes, reservedBytes: 0 }),
    async usageOf(bucket) {
      const { usedBytes, reservedBytes } = await quotasStore.of(db, bucket)
      return { usedBytes: usedBytes + reservedBytes, quotaBytes: await limitOf(db, bucket) }
    },
    async shownUsageOf(bucket) {
      const { usedBytes } = await quotasStore.of(db, bucket)
      const counts = await Promise.all(arrived.map((arrivedIn) => arrivedIn(bucket)))
      const quotaBytes = await limitOf(db, bucket)
      return { usedBytes: counts.reduce((sum, count) => sum + count, usedBytes), quotaBytes }
    },
    countArrived: (arrivedIn) => void arrived.push(arrivedIn),
  }
}

/** Adds to what is booked for an account; neither counter falls below 0. */
export function changeUsage(tx: Db | Tx, change: QuotaChange): Promise<void> {
  return quotasStore.change(tx, change)
}
