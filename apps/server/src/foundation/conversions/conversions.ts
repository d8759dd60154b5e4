import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { MiB, randomHex, type Random } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { FairSemaphore } from '../../kernel/fair-semaphore.ts'
import type { PictureCache } from '../pictures/index.ts'
import { runCaged } from './cage.ts'
import type { Converter, ConverterName } from './converters.ts'

/** A file that becomes a PDF. */
export interface ConversionSource {
  /** Names this content of this file: any other content has another name. */
  readonly identity: string
  readonly bytes: number
  /** Letters of the file's ending, which tells the program what it is. */
  readonly ending: string
  /** Whose turn it is. */
  readonly owner: string
  /** Opened when it is its turn. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

/** Makes PDFs of documents, by programs that the operator installed. */
export interface Conversions {
  has(name: ConverterName): boolean
  /** @throws AppError PREVIEW_UNSUPPORTED for what cannot be converted, SERVER_BUSY, what reading throws; the signal's reason */
  pdfOf(name: ConverterName, source: ConversionSource, signal: AbortSignal): Promise<Uint8Array>
}

export interface ConversionsDeps {
  readonly converters: ReadonlyMap<ConverterName, Converter>
  readonly cache: PictureCache
  /** Each conversion has a folder in it. */
  readonly folder: string
  /** What no converter shall see. */
  readonly hidden: readonly string[]
  readonly random: Random
  readonly log: Log
  /** For one document; then the program is ended. */
  readonly limitMs?: number
}

/** Bytes of a document that is given to a program. */
export const MAX_CONVERTED_BYTES = 50 * MiB
/** Bytes of the PDF. */
const MAX_RESULT_BYTES = 64 * MiB
const MAX_MEMORY_BYTES = 1_024 * MiB
const LIMIT_MS = 60_000
/** A program at work takes a core; documents of one person wait for each other. */
const TURNS = { total: 1, perOwner: 1 } as const
const WAITING_MAX = 64
/** Part of each name in the cache, so that what an older version made is not found. */
const VERSION = 1

export function createConversions(deps: ConversionsDeps): Conversions {
  const { converters, cache } = deps
  const programOf = (name: ConverterName): Converter | undefined => converters.get(name === 'text' ? 'office' : name)
  const turns = new FairSemaphore(TURNS)
  let waiting = 0

  return {
    has: (name) => programOf(name) !== undefined,
    async pdfOf(name, source, signal) {
      const converter = programOf(name)
      if (converter === undefined || source.bytes > MAX_CONVERTED_BYTES) throw new AppError('PREVIEW_UNSUPPORTED')
      const key = createHash('sha256').update(`${VERSION}\0${name}\0${source.identity}`).digest('hex').slice(0, 40)
      const kept = await cache.get(key)
      if (kept !== undefined) return whole(kept)
      if (waiting >= WAITING_MAX) throw new AppError('SERVER_BUSY', { retryAfterSeconds: 10 })
      waiting++
      try {
        return await turns.run({ owner: source.owner, signal }, async () => {
          // Somebody may have asked for the same document before.
          const made = (await cache.get(key)) ?? (await convert(deps, converter, source, signal))
          await cache.put(key, made)
          return whole(made)
        })
      } finally {
        waiting--
      }
    },
  }
}

/** Nothing is kept for a document that cannot be converted. */
function whole(pdf: Uint8Array): Uint8Array {
  if (pdf.length === 0) throw new AppError('PREVIEW_UNSUPPORTED')
  return pdf
}

/** @returns nothing for a document of which the program makes none */
async function convert(
  { folder: parent, hidden, random, log, limitMs = LIMIT_MS }: ConversionsDeps,
  converter: Converter,
  source: ConversionSource,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const folder = path.join(parent, randomHex(random, 8))
  await fs.mkdir(path.join(folder, 'out'), { recursive: true, mode: 0o700 })
  try {
    const name = `in.${source.ending}`
    await fs.writeFile(path.join(folder, name), source.read(signal), { flag: 'wx', mode: 0o600, signal })
    await converter.prepare?.(folder)
    const ending = await runCaged({
      ...{ program: converter.program, args: converter.args(name, 'out/in.pdf'), folder, hidden, limitMs, signal },
      ...{ memoryBytes: MAX_MEMORY_BYTES, fileBytes: MAX_RESULT_BYTES },
    })
    const pdf = await readResult(path.join(folder, 'out/in.pdf'))
    if (pdf.length === 0) log.warn({ ...ending, ending: source.ending }, 'a document could not be converted')
    return pdf
  } finally {
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The program is not trusted: only a plain file that is a PDF is taken, and not what a link of that name leads to. */
async function readResult(file: string): Promise<Uint8Array> {
  const { O_RDONLY, O_NOFOLLOW } = fs.constants
  let handle
  try {
    handle = await fs.open(file, O_RDONLY | O_NOFOLLOW)
    const stat = await handle.stat()
    if (!stat.isFile() || stat.size > MAX_RESULT_BYTES) return new Uint8Array()
    const pdf = await handle.readFile()
    return pdf.subarray(0, 1024).includes('%PDF-') ? pdf : new Uint8Array()
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) return new Uint8Array() // Not there, or a link.
    throw thrown
  } finally {
    await handle?.close()
  }
}
