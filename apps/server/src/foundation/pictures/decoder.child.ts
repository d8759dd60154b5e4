import { confineLibrary, decodePicture, redrawPicture } from './decode.ts'
import type { DecodeRequest } from './picture-request.ts'
import type * as Pages from './pages.ts'
import { serveDecoder } from '../decoding/index.ts'

/**
 * The program of the process that decodes. Whatever a picture does to a library happens here, without a network, without the
 * data of the server, and with a bound on memory; the server ends it when it takes too long.
 */

confineLibrary()

/** Loaded with the first document. */
let pages: typeof Pages | undefined

await serveDecoder<DecodeRequest>(async (file, request) => {
  if (request.page !== undefined) {
    pages ??= await import('./pages.ts')
    return pages.drawPage(file, request)
  }
  // A picture may need the memory that a document has.
  pages?.letGo()
  return request.redrawn === undefined ? decodePicture(file, request) : redrawPicture(file, request.redrawn)
})
