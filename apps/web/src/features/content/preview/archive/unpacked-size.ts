import type { ArchiveSource } from './archive-entries.ts'
import { readZip } from './read-zip.ts'

/** What a document may unpack to: a small file may hold any number of zeros. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024
const MAX_PARTS = 10_000

/** For programs that unpack a document as a whole. @throws ApiError from the server, Error when it is damaged or unpacks to too much */
export async function checkUnpackedSize(source: ArchiveSource): Promise<void> {
  let bytes = 0
  let parts = 0
  for await (const { size } of readZip(source)) {
    bytes += size
    parts += 1
    if (bytes > MAX_UNPACKED_BYTES || parts > MAX_PARTS) throw new Error('the document is too large to read')
  }
}
