import { readSheets } from '../../../../lib/read-sheets.ts'
import type { SheetRows } from '../../../../lib/sheet-messages.ts'
import type { ArchiveSource } from '../archive/archive-entries.ts'
import { checkUnpackedSize } from '../archive/unpacked-size.ts'
import { readSpan } from '../read-spans.ts'

/** A workbook that takes longer was made to. */
const MAX_MS = 30_000

/** @throws ApiError from the server, Error when the workbook is damaged or too large to read */
export async function readWorkbook(source: ArchiveSource): Promise<readonly SheetRows[]> {
  await checkUnpackedSize(source)
  const bytes = await readSpan(source.url, 0, source.size, source.signal)
  return readSheets(new Blob([Uint8Array.from(bytes)]), { signal: source.signal, maxMs: MAX_MS })
}
