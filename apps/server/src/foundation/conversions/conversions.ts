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
import { writeFilm, type FilmSource } from './film-excerpt.ts'
import type { Films } from './films.ts'
import { readPlain } from './read-plain.ts'

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

/** Makes PDFs of documents and pictures of films, by programs that the operator installed. */
export interface Conversions {
  /** Undefined without a program that reads films. */
  readonly films: Films | undefined
  has(name: ConverterName | 'video'): boolean
  /**
   * A picture of how a film begins, as JPEG.
   * @throws AppError PREVIEW_UNSUPPORTED for what has none, SERVER_BUSY, what reading throws; the signal's reason
   */
  posterOf(film: FilmSource, signal: AbortSignal): Promise<Uint8Array>
  /** @throws AppError PREVIEW_UNSUPPORTED for what cannot be converted, SERVER_BUSY, what reading throws; the signal's reason */
  pdfOf(name: ConverterName, source: ConversionSource, signal: AbortSignal): Promise<Uint8Array>
}

export interface ConversionsDeps {
  readonly films?: Films | undefined
  readonly converters: ReadonlyMap<ConverterName | 'video', Converter>
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
  const programOf = (name: ConverterName | 'video') => converters.get(name === 'text' ? 'office' : name)
  const turns = new FairSemaphore(TURNS)
  let waiting = 0

  async function keptOrMade(key: string, owner: string, job: Job, signal: AbortSignal): Promise<Uint8Array> {
    const kept = await cache.get(key)
    if (kept !== undefined) return whole(kept)
    if (waiting >= WAITING_MAX) throw new AppError('SERVER_BUSY', { retryAfterSeconds: 10 })
    waiting++
    try {
      return await turns.run({ owner, signal }, async () => {
        // Somebody may have asked for the same document before.
        const made = (await cache.get(key)) ?? (await convert(deps, job, signal))
        await cache.put(key, made)
        return whole(made)
      })
    } finally {
      waiting--
    }
  }

  return {
    films: deps.films,
    has: (name) => programOf(name) !== undefined,
    async pdfOf(name, source, signal) {
      const converter = programOf(name)
      if (converter === undefined || source.bytes > MAX_CONVERTED_BYTES) throw new AppError('PREVIEW_UNSUPPORTED')
      const { identity, owner, ending, read } = source
      const write: Job['write'] = (file) => fs.writeFile(file, read(signal), { flag: 'wx', mode: 0o600, signal })
      return keptOrMade(keyOf(name, identity), owner, { converter, ending, result: PDF, write }, signal)
    },
    async posterOf(film, signal) {
      const converter = programOf('video')
      if (converter === undefined || film.bytes === 0) throw new AppError('PREVIEW_UNSUPPORTED')
      const { identity, owner, format } = film
      const write: Job['write'] = (file) => writeFilm(file, film, signal)
      return keptOrMade(keyOf('poster', identity), owner, { converter, ending: format, result: JPEG, write }, signal)
    },
  }
}

function keyOf(name: string, identity: string): string {
  return createHash('sha256').update(`${VERSION}\0${name}\0${identity}`).digest('hex').slice(0, 40)
}

/** What a program shall have made, and how that begins. */
interface Result {
  readonly name: string
  readonly is: (content: Buffer) => boolean
}
const PDF: Result = { name: 'out/in.pdf', is: (content) => content.subarray(0, 1024).includes('%PDF-') }
const JPEG: Result = { name: 'out/in.jpg', is: (content) => content.readUIntBE(0, 3) === 0xff_d8_ff }

interface Job {
  readonly converter: Converter
  readonly ending: string
  readonly result: Result
  /** Puts there what the program reads. */
  readonly write: (file: string) => Promise<void>
}

/** Nothing is kept for a document that cannot be converted. */
function whole(pdf: Uint8Array): Uint8Array {
  if (pdf.length === 0) throw new AppError('PREVIEW_UNSUPPORTED')
  return pdf
}

/** @returns nothing for a document of which the program makes none */
async function convert(
  { folder: parent, hidden, random, log, limitMs = LIMIT_MS }: ConversionsDeps,
  { converter, ending, result, write }: Job,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const folder = path.join(parent, randomHex(random, 8))
  await fs.mkdir(path.join(folder, 'out'), { recursive: true, mode: 0o700 })
  try {
    const name = `in.${ending}`
    await write(path.join(folder, name))
    await converter.prepare?.(folder)
    const ended = await runCaged({
      ...{ program: converter.program, args: converter.args(name, result.name), folder, hidden, limitMs, signal },
      ...{ memoryBytes: MAX_MEMORY_BYTES, fileBytes: MAX_RESULT_BYTES },
    })
    const made = await readResult(path.join(folder, result.name), result)
    if (made.length === 0) log.warn({ ...ended, ending }, 'a document could not be converted')
    return made
  } finally {
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function readResult(file: string, { is }: Result): Promise<Uint8Array> {
  const content = await readPlain(file, MAX_RESULT_BYTES)
  return content.length > 2 && is(content) ? content : new Uint8Array()
}
