import { startWorker } from './workers.ts'
import type { SheetReply, SheetRows } from './sheet-messages.ts'
import workerUrl from './sheets.worker.ts?worker&url'

export interface ReadOptions {
  readonly signal?: AbortSignal
  /** A workbook that takes longer was made to. */
  readonly maxMs: number
}

/** Every sheet of a workbook, read by a worker that ends with it. @throws Error when it is damaged, or takes too long */
export function readSheets(workbook: Blob, { signal, maxMs }: ReadOptions): Promise<readonly SheetRows[]> {
  const worker = startWorker(workerUrl)
  const timeout = AbortSignal.timeout(maxMs)
  const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
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
