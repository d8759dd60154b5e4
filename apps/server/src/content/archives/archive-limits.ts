import { GiB, MiB } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'

/** What the directory of an archive announces. */
export interface AnnouncedSizes {
  readonly entries: number
  /** Bytes of all entries inside the archive. */
  readonly packedBytes: number
  readonly unpackedBytes: number
  /** Bytes of the archive itself. */
  readonly archiveBytes: number
}

/** A directory of this many entries is read into memory. */
const MOST_ENTRIES = 100_000
/** So much of it: several hundred bytes for each of that many entries. */
export const MOST_DIRECTORY_BYTES = 64 * MiB
/** Up to here every archive may unpack, however small it is. */
const ANY_RATIO_BYTES = GiB
/** Ordinary data packs to a tenth; deflate ends at a thousandth, which only a bomb reaches as a whole. */
const MOST_RATIO = 200

/**
 * Refuses what is made to fill a disk: too many entries, too little behind too much, or entries that share their bytes.
 * The quota and the size limits of uploads hold besides.
 * @throws AppError ARCHIVE_TOO_LARGE, ARCHIVE_UNREADABLE
 */
export function requireHarmless({ entries, packedBytes, unpackedBytes, archiveBytes }: AnnouncedSizes): void {
  if (entries > MOST_ENTRIES) throw new AppError('ARCHIVE_TOO_LARGE')
  // Entries lie beside each other; more than the archive holds means that they overlap.
  if (packedBytes > archiveBytes) throw new AppError('ARCHIVE_UNREADABLE')
  if (unpackedBytes > ANY_RATIO_BYTES && unpackedBytes > archiveBytes * MOST_RATIO)
    throw new AppError('ARCHIVE_TOO_LARGE')
}
