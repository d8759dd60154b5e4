import type { Clock } from '@godwit/base'
import type { Tx } from '../../kernel/db/index.ts'
import type { Outbox } from '../../kernel/events/index.ts'
import type { FileEvent, Origin } from '../file-events/index.ts'
import { rememberHashes } from './file-hashes.store.ts'
import { bucketOf } from './quota-buckets.ts'
import type { Quotas } from './quotas.service.ts'

export interface BookingDeps {
  readonly clock: Clock
  readonly outbox: Outbox
  readonly quotas: Quotas
}

/** A file that the storage shows now. */
export interface BookedFile {
  readonly spaceId: number
  readonly groupId: number
  readonly key: string
  /** As its owner sees it. */
  readonly path: string
  /** The storage's tag of this content. */
  readonly etag: string
  /** BLAKE3 tree hash. */
  readonly hash: string
  readonly size: number
  /** Size of the file that stood there before; 0 when the name was free. */
  readonly replacedBytes: number
  readonly isReplacement: boolean
}

export interface Booking {
  readonly origin: Origin
  /** Who brought them. */
  readonly userId: string
  /** 0: the personal files. */
  readonly groupId: number
  /** The whole reservation that ends here, whatever part of it was used. */
  readonly reservedBytes: number
  readonly files: readonly BookedFile[]
}

/**
 * Books files that became visible: turns their reservation into used bytes, records their hashes and emits
 * `file.committed` or `file.replaced` for each. The only way a new file enters the books. Belongs into the transaction that ends the durable
 * row of the reservation, so that it happens exactly once; nudge the outbox after it.
 */
export async function bookFiles(
  { clock, outbox, quotas }: BookingDeps,
  tx: Tx,
  { origin, userId, groupId, reservedBytes, files }: Booking,
): Promise<void> {
  const used = files.reduce((bytes, { size, replacedBytes }) => bytes + size - replacedBytes, 0)
  await quotas.commitBytes(tx, bucketOf({ userId, groupId }), { reserved: reservedBytes, used })
  await rememberHashes(tx, clock, files)
  const at = clock.now()
  const eventOf = ({ spaceId, path, size }: BookedFile): FileEvent => {
    return { ...origin, userId, spaceId, groupId, path, kind: 'file', size, at }
  }
  for (const [isReplacement, some] of Map.groupBy(files, (file) => file.isReplacement)) {
    await outbox.addAll(tx, isReplacement ? 'file.replaced' : 'file.committed', some.map(eventOf))
  }
}
