import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { usersStore } from '../../identity/users/index.ts'
import { quotasStore } from './quotas.store.ts'

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
 * What an account may keep. Bytes are reserved before they are written, become used when their file becomes visible, and
 * are freed when it goes. Every method belongs into the transaction of the change it accounts for.
 */
export interface Quotas {
  /** @throws AppError QUOTA_EXCEEDED */
  reserveBytes(tx: Db | Tx, userId: string, bytes: number): Promise<void>
  /** Turns a reservation into used bytes; the two differ when the result is shorter or replaces something. */
  commitBytes(tx: Db | Tx, userId: string, bytes: { readonly reserved: number; readonly used: number }): Promise<void>
  /** Gives a reservation back. */
  releaseBytes(tx: Db | Tx, userId: string, bytes: number): Promise<void>
  /** Files went away. */
  freeBytes(tx: Db | Tx, userId: string, bytes: number): Promise<void>
  usageOf(userId: string): Promise<Usage>
}

export function createQuotas({ db, dialect, defaultBytes }: QuotasDeps): Quotas {
  async function limitOf(tx: Db | Tx, userId: string): Promise<number> {
    return (await usersStore.byId(tx, userId))?.quota_bytes ?? defaultBytes
  }

  return {
    async reserveBytes(tx, userId, bytes) {
      const limit = await limitOf(tx, userId)
      if (!(await quotasStore.isKnown(tx, userId))) await quotasStore.ensure(tx, dialect, userId)
      if (await quotasStore.reserve(tx, userId, bytes, limit)) return
      const { usedBytes, reservedBytes } = await quotasStore.of(tx, userId)
      throw new AppError('QUOTA_EXCEEDED', { quotaBytes: limit, usedBytes, reservedBytes, wantedBytes: bytes })
    },
    commitBytes: (tx, userId, { reserved, used }) =>
      quotasStore.change(tx, { userId, usedBytes: used, reservedBytes: -reserved }),
    releaseBytes: (tx, userId, bytes) => quotasStore.change(tx, { userId, usedBytes: 0, reservedBytes: -bytes }),
    freeBytes: (tx, userId, bytes) => quotasStore.change(tx, { userId, usedBytes: -bytes, reservedBytes: 0 }),
    async usageOf(userId) {
      const { usedBytes, reservedBytes } = await quotasStore.of(db, userId)
      return { usedBytes: usedBytes + reservedBytes, quotaBytes: await limitOf(db, userId) }
    },
  }
}
