import path from 'node:path'
import type { Log } from '../../kernel/context.ts'
import { PictureFault, type FileRequest } from '../decoding/index.ts'
import { createDecoder } from '../pictures/index.ts'
import type { DocumentText } from './extract.ts'
import type { TextFormat } from './formats.ts'
import { TextFault, type TextFaultReason } from './text-fault.ts'

export interface TextRequest extends FileRequest {
  readonly format: TextFormat
}

/** A document whose text is wanted. */
export interface TextSource {
  readonly format: TextFormat
  readonly bytes: number
  /** Chunks are borrowed. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

/** Reads documents of strangers, in a process of its own. */
export interface DocumentTexts {
  /** One at a time. @throws TextFault, what reading throws, the signal's reason */
  read(source: TextSource, signal: AbortSignal): Promise<DocumentText>
  stop(): void
}

const LIMIT_MS = 30_000
const PROGRAM = path.join(import.meta.dirname, 'texts.child.ts')

export function createDocumentTexts({
  log,
  limitMs = LIMIT_MS,
}: {
  readonly log: Log
  /** For one document; then the process is ended. */
  readonly limitMs?: number
}): DocumentTexts {
  const decoder = createDecoder<TextRequest>({ log, program: PROGRAM, limitMs })
  return {
    async read(source, signal) {
      const answer = await decoder.decode({ ...source, signal }).catch((thrown: unknown) => {
        if (!(thrown instanceof PictureFault)) throw thrown
        throw new TextFault(thrown.fault === 'too-large' ? 'too-large' : 'unreadable', { cause: thrown })
      })
      const found = JSON.parse(new TextDecoder().decode(answer)) as DocumentText | { readonly reason: TextFaultReason }
      if ('reason' in found) throw new TextFault(found.reason)
      return found
    },
    stop: () => decoder.stop(),
  }
}
