import fs from 'node:fs/promises'
import { MiB } from '@godwit/base'
import type { FilmFormat } from './converters.ts'

/** A film of any length, of which a picture is made. */
export interface FilmSource {
  /** Names this content of this file: any other content has another name. */
  readonly identity: string
  readonly bytes: number
  /** Whose turn it is. */
  readonly owner: string
  readonly format: FilmFormat
  /** Opened when it is its turn; the end is not included. */
  readonly readSpan: (
    span: { readonly start: number; readonly end: number },
    signal: AbortSignal,
  ) => AsyncIterable<Uint8Array>
}

/** The first frames are here: some seconds of the highest rates that cameras write. */
const BEGIN_BYTES = 32 * MiB
/** Where cameras and recorders put the index of a film, which names the place of each frame. */
const END_BYTES = 16 * MiB

/** Writes what the first frames need of a film: its beginning and its end, in their places; between them is a hole. */
export async function writeFilm(file: string, { bytes, readSpan }: FilmSource, signal: AbortSignal): Promise<void> {
  const begin = Math.min(BEGIN_BYTES, bytes)
  const end = Math.max(begin, bytes - END_BYTES)
  const handle = await fs.open(file, 'wx', 0o600)
  try {
    for (const span of [
      { start: 0, end: begin },
      { start: end, end: bytes },
    ]) {
      let at = span.start
      if (span.start === span.end) continue
      for await (const chunk of readSpan(span, signal)) {
        await writeAll(handle, chunk, at)
        at += chunk.length
      }
    }
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: fs.FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}
