import { serveDecoder } from '../decoding/index.ts'
import { extract } from './extract.ts'
import { TextFault } from './text-fault.ts'
import type { TextRequest } from './document-texts.ts'

/** The program of the process that reads documents: as little of the machine as the one that decodes pictures. */

/** Of one document; what was read until then is its text. The server waits longer before it ends the process. */
const ENOUGH_SECONDS = 12

await serveDecoder<TextRequest>(async (file, { format }) => {
  const until = process.uptime() + ENOUGH_SECONDS
  try {
    const found = await extract(file, format, () => process.uptime() > until)
    return new TextEncoder().encode(JSON.stringify(found))
  } catch (thrown) {
    if (!(thrown instanceof TextFault)) throw thrown
    return new TextEncoder().encode(JSON.stringify({ reason: thrown.reason }))
  }
})
