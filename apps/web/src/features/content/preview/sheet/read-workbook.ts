import { startWorker } from '../../../../lib/workers.ts'
import type { ArchiveSource } from '../archive/archive-entries.ts'
import { checkUnpackedSize } from '../archive/unpacked-size.ts'
import { readSpan } from '../read-spans.ts'
import type { SheetReply, SheetRows } from './sheet-messages.ts'
import workerUrl from './sheet.worker.ts?worker&url'

/** A workbook that takes longer was made to. */
const MAX_MS = 30_000

/** @throws ApiError from the server, Error when the workbook is damaged or too large to read */
export async function readWorkbook(source: ArchiveSource): Promise<readonly SheetRows[]> {
  await checkUnpackedSize(source)
  const bytes = await readSpan(source.url, 0, source.size, source.signal)
  return parse(new Blob([Uint8Array.from(bytes)]), source.signal)
}

function parse(workbook: Blob, signal: AbortSignal): Promise<readonly SheetRows[]> {
  const worker = startWorker(workerUrl)
  const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
  const reading = new Promise<readonly SheetRows[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SheetReply>) =>
      data.kind === 'sheets' ? resolve(data.sheets) : reject(new Error(data.reason))
    worker.onerror = (event) => reject(new Error(event.message))
    ended.addEventListener('abort', () => reject(new Error('the workbook was not read', { cause: ended.reason })), {
      once: true,
    })
  })
  worker.postMessage(workbook)
  return reading.finally(() => worker.terminate())
}
