import { BlobReader, configure, ZipReader } from '@zip.js/zip.js'
import { readSheets } from './read-sheets.ts'
import type { SheetRows } from './sheet-messages.ts'
import { requireBounded } from './unpacked-limit.ts'

// The browser inflates by itself, so there is no need for a worker that the page's policy would have to allow.
configure({ useWebWorkers: false })

const MAX_MS = 5_000

/** A workbook of this computer. @throws Error when it is damaged, unpacks to too much, or takes too long */
export async function readWorkbook(file: Blob): Promise<readonly SheetRows[]> {
  await requireBounded(partsOf(file))
  return readSheets(file, { maxMs: MAX_MS })
}

async function* partsOf(file: Blob): AsyncGenerator<{ readonly size: number }> {
  const zip = new ZipReader(new BlobReader(file))
  try {
    for await (const { uncompressedSize } of zip.getEntriesGenerator()) yield { size: uncompressedSize }
  } finally {
    await zip.close()
  }
}
