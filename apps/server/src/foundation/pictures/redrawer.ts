import { MiB } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import { createDecoder } from './decoder.ts'
import { createTurns } from './turns.ts'

/** Makes pictures anew in a process of its own, one after the other. */
export interface Redrawer {
  /** The same picture in the same size, without anything else that its file held. @throws PictureFault, AppError SERVER_BUSY */
  redraw(file: Uint8Array, format: 'png' | 'jpeg'): Promise<Uint8Array>
  stop(): void
}

export function createRedrawer(log: Log): Redrawer {
  const decoder = createDecoder({ log })
  const turns = createTurns([decoder])
  return {
    redraw: (file, format) =>
      turns.decode('', {
        bytes: file.length,
        edge: 0,
        redrawn: format,
        read: () => piecesOf(file),
        signal: new AbortController().signal,
      }),
    stop: () => decoder.stop(),
  }
}

async function* piecesOf(file: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < file.length; at += MiB) yield file.subarray(at, at + MiB)
  await Promise.resolve()
}
