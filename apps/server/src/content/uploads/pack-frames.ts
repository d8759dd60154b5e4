import { MiB } from '@godwit/base'
import { conflictPolicy } from '@godwit/contract'
import type { ByteSource } from '@godwit/storage'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { GrowingBuffer } from '../../kernel/growing-buffer.ts'

export const PACK_MAX_FILES = 10_000
export const PACK_MAX_BYTES = 64 * MiB
/** A header is a path and a few numbers. */
const MAX_HEADER_BYTES = 16 * 1024
const LENGTH_BYTES = 4

const frameHeader = z.strictObject({
  relativePath: z.string().min(1),
  size: z.int().min(0).max(PACK_MAX_BYTES),
  lastModified: z.int().min(0).default(0),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  conflict: conflictPolicy.default('fail'),
})

export type PackFrame = z.output<typeof frameHeader> & { readonly content: Uint8Array }

/**
 * Reads a whole pack: for each file the length of its header (32 bit, big endian), the header as JSON, the bytes.
 * Nothing is handed on before the last byte, so a pack that was cut off leaves no trace.
 * @throws AppError UPLOAD_PART_INVALID, BODY_TOO_LARGE
 */
export async function readFrames(
  source: ByteSource,
  { length, signal }: { readonly length: number | undefined; readonly signal: AbortSignal },
): Promise<PackFrame[]> {
  if (length !== undefined && length > PACK_MAX_BODY_BYTES) throw tooLarge()
  const body = await collect(source, new GrowingBuffer(length ?? 0), { most: length ?? PACK_MAX_BODY_BYTES, signal })
  const frames: PackFrame[] = []
  for (let at = 0; at < body.length;) {
    if (frames.length >= PACK_MAX_FILES) throw new AppError('BODY_TOO_LARGE', { maxFiles: PACK_MAX_FILES })
    const { frame, end } = readFrame(body, at)
    frames.push(frame)
    at = end
  }
  return frames
}

/** The headers of all files may take as much again as a quarter of the bytes. */
export const PACK_MAX_BODY_BYTES = PACK_MAX_BYTES + 16 * MiB

function tooLarge(): AppError {
  return new AppError('BODY_TOO_LARGE', { maxBytes: PACK_MAX_BYTES })
}

async function collect(
  source: ByteSource,
  body: GrowingBuffer,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  let size = 0
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    const steps = source[Symbol.asyncIterator]()
    for (;;) {
      const step = await Promise.race([steps.next(), stopped])
      if (step.done === true) return body.bytes()
      size += step.value.length
      if (size > most) throw tooLarge()
      body.add(step.value)
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function readFrame(body: Buffer, start: number): { readonly frame: PackFrame; readonly end: number } {
  if (body.length - start < LENGTH_BYTES) throw malformed('cut-off')
  const headerBytes = body.readUInt32BE(start)
  // The sender chooses this length: bound it before it is used.
  if (headerBytes > MAX_HEADER_BYTES) throw malformed('header-too-long')
  const contentAt = start + LENGTH_BYTES + headerBytes
  if (contentAt > body.length) throw malformed('cut-off')
  const header = frameHeader.safeParse(parseJson(body.subarray(start + LENGTH_BYTES, contentAt)))
  if (!header.success) throw malformed(header.error.issues[0]?.path.join('.') ?? 'header')
  const end = contentAt + header.data.size
  if (end > body.length) throw malformed('cut-off')
  return { frame: { ...header.data, content: body.subarray(contentAt, end) }, end }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new AppError('UPLOAD_PART_INVALID', { reason: 'frame', field: 'header' }, { cause })
  }
}

function malformed(field: string): AppError {
  return new AppError('UPLOAD_PART_INVALID', { reason: 'frame', field })
}
