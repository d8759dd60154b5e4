import { errorSpec } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import { BlobReader, configure, ZipReader } from '@zip.js/zip.js'
import { readSheets } from './read-sheets.ts'
import type { SheetRows } from './sheet-messages.ts'
import { requireBounded } from './unpacked-limit.ts'

// The browser inflates by itself, so there is no need for a worker that the page's policy would have to allow.
configure({ useWebWorkers: false })

const MAX_MS = 5_000

/** What a compound file begins with: a workbook of Excel 97, or a newer one behind a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/**
 * A workbook of this computer.
 * @throws ApiError IMPORT_FILE_OLD for a binary one; IMPORT_FILE_UNREADABLE when it is damaged, unpacks to too much, or takes too long
 */
export async function readWorkbook(file: Blob): Promise<readonly SheetRows[]> {
  const head = new Uint8Array(await file.slice(0, COMPOUND.length).arrayBuffer())
  if (COMPOUND.every((byte, at) => head[at] === byte)) throw refusal('IMPORT_FILE_OLD', 'a binary workbook')
  try {
    await requireBounded(partsOf(file))
    return await readSheets(file, { maxMs: MAX_MS })
  } catch (cause) {
    throw refusal('IMPORT_FILE_UNREADABLE', String(cause))
  }
}

function refusal(name: 'IMPORT_FILE_OLD' | 'IMPORT_FILE_UNREADABLE', message: string): ApiError {
  return new ApiError({ code: errorSpec(name).wire, message })
}

async function* partsOf(file: Blob): AsyncGenerator<{ readonly size: number }> {
  const zip = new ZipReader(new BlobReader(file))
  try {
    for await (const { uncompressedSize } of zip.getEntriesGenerator()) yield { size: uncompressedSize }
  } finally {
    await zip.close()
  }
}
