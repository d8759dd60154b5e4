import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { startWorker } from '../../../../lib/workers.ts'

/** Where the build puts what some documents need: character maps, standard fonts, decoders. */
const DATA = '/assets/pdfjs/'
/** Pixels of one picture in a document; larger ones are left out. */
const MAX_IMAGE_PIXELS = 100_000_000

export interface OpenDocument {
  readonly document: Promise<PDFDocumentProxy>
  /** Ends the reading and the thread that does it. */
  close(): void
}

/** Reads a document piece by piece, in a thread of its own: scripts of the document are not run, its links and forms not drawn. */
export function openDocument(url: string): OpenDocument {
  const worker = startWorker(workerUrl)
  GlobalWorkerOptions.workerPort = worker
  const task = getDocument({
    url,
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: 262_144,
    enableXfa: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    cMapUrl: `${DATA}cmaps/`,
    standardFontDataUrl: `${DATA}standard_fonts/`,
    wasmUrl: `${DATA}wasm/`,
    iccUrl: `${DATA}iccs/`,
    verbosity: 0,
  })
  return {
    document: task.promise,
    close() {
      void task.destroy().finally(() => worker.terminate())
    },
  }
}
