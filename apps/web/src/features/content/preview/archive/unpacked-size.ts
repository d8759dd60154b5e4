import { requireBounded } from '../../../../lib/unpacked-limit.ts'
import type { ArchiveSource } from './archive-entries.ts'
import { readZip } from './read-zip.ts'

/** For programs that unpack a document as a whole. @throws ApiError from the server, Error when it is damaged or unpacks to too much */
export async function checkUnpackedSize(source: ArchiveSource): Promise<void> {
  await requireBounded(readZip(source))
}
