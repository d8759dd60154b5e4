import type { Clock } from '@godwit/base'
import type { Tx } from '../../kernel/db/index.ts'
import type { Outbox } from '../../kernel/events/index.ts'
import type { FileEvent, Origin } from '../file-events/index.ts'
import { rememberHashes } from './file-hashes.store.ts'
import { versionsStore, type VersionRow } from './file-versions.store.ts'
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
  /** What stood there before, where it is kept. */
  readonly version?: VersionRow | undefined
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
  const keptBytes = ({ version }: BookedFile): number => Number(version?.size ?? 0)
  const used = files.reduce((bytes, file) => bytes + file.size - file.replacedBytes + keptBytes(file), 0)
  await quotas.commitBytes(tx, bucketOf({ userId, groupId }), { reserved: reservedBytes, used })
  await rememberHashes(tx, clock, files)
  for (const { version } of files) if (version !== undefined) await versionsStore.insert(tx, version)
  const at = clock.now()
  const eventOf = ({ spaceId, path, size, etag }: BookedFile): FileEvent => {
    return { ...origin, userId, spaceId, groupId, path, kind: 'file', size, at, etag }
  }
  const [replaced, added] = [files.filter(isReplaced), files.filter((file) => !isReplaced(file))]
  if (added.length > 0) await outbox.addAll(tx, 'file.committed', added.map(eventOf))
  if (replaced.length === 0) return
  const kept = ({ version }: BookedFile) => (version === undefined ? {} : { keptVersionId: version.id })
  await outbox.addAll(
    tx,
    'file.replaced',
    replaced.map((file) => ({ ...eventOf(file), ...kept(file) })),
  )
}

function isReplaced({ isReplacement }: BookedFile): boolean {
  return isReplacement
}
