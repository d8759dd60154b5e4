import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { ObjectReader } from '@godwit/storage'
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { AppError } from '../../kernel/errors.ts'
import { MOST_DIRECTORY_BYTES, requireHarmless } from './archive-limits.ts'

/** The directory of a stored archive, and its entries on request. */
export interface OpenedZip {
  readonly entries: readonly Entry[]
  readonly unpackedBytes: number
  /** Bytes of an entry, checked. @throws AppError ARCHIVE_UNREADABLE */
  read(entry: Entry): AsyncGenerator<Uint8Array>
}

/**
 * Reads the directory of a zip without unpacking anything.
 * @throws AppError ARCHIVE_UNREADABLE, ARCHIVE_TOO_LARGE
 */
export async function openZip(reader: ObjectReader): Promise<OpenedZip> {
  const archiveBytes = reader.entry.size
  const zip = await readable(() =>
    fromRandomAccessReaderPromise(new StoredBytes(reader), archiveBytes, {
      ...{ lazyEntries: true, autoClose: false },
      // Names are decoded and judged one by one: a single bad one must not end the whole.
      decodeStrings: false,
      validateEntrySizes: true,
    }),
  )
  const sizes = { entries: zip.entryCount, packedBytes: 0, unpackedBytes: 0, archiveBytes }
  requireHarmless(sizes)
  const entries: Entry[] = []
  let directoryBytes = 0
  await readable(async () => {
    for await (const entry of zip.eachEntry()) {
      directoryBytes += heldBytes(entry)
      if (directoryBytes > MOST_DIRECTORY_BYTES) break
      entries.push(entry)
      sizes.packedBytes += entry.compressedSize
      sizes.unpackedBytes += entry.uncompressedSize
    }
  })
  if (directoryBytes > MOST_DIRECTORY_BYTES) throw new AppError('ARCHIVE_TOO_LARGE')
  requireHarmless({ ...sizes, entries: entries.length })
  return { entries, unpackedBytes: sizes.unpackedBytes, read: (entry) => readEntry(zip, entry) }
}

/** What the directory says of an entry, all of which stays in memory: the name, and fields and a comment as long as their maker likes. */
function heldBytes({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): number {
  return 46 + fileNameLength + extraFieldLength + fileCommentLength
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await readable(() => zip.openReadStreamPromise(entry))
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let checksum = 0
  try {
    for (;;) {
      const next = await readable(() => chunks.next())
      if (next.done === true) break
      checksum = crc32(next.value, checksum)
      yield next.value
    }
  } finally {
    stream.destroy()
  }
  if (checksum !== entry.crc32) throw new AppError('ARCHIVE_UNREADABLE')
}

/** Whatever the library says against the bytes, the archive is what is wrong. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    throw new AppError('ARCHIVE_UNREADABLE', undefined, { cause: thrown })
  }
}

class StoredBytes extends RandomAccessReader {
  readonly #reader: ObjectReader

  constructor(reader: ObjectReader) {
    super()
    this.#reader = reader
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(copied(this.#reader.stream({ start, end })), { objectMode: false })
  }
}

/** Chunks of a reader are only lent. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
