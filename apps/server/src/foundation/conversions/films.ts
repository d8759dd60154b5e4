import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { randomHex, type Random } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { FairSemaphore } from '../../kernel/fair-semaphore.ts'
import type { PictureCache } from '../pictures/index.ts'
import { runCaged, type CagedEnding } from './cage.ts'
import { probeArgs, SEGMENT_FILE, segmentArgs } from './film-args.ts'
import { createFilmBatches, type BatchWork, type Deliver } from './film-batches.ts'
import type { FilmInputs, OpenedFilm } from './film-inputs.ts'
import { MAX_SEGMENT_BYTES, planOf, segmentsOf, type FilmPlan, type Rendition } from './film-plan.ts'
import { readPlain } from './read-plain.ts'

/** A film or sound that is to be played. */
export interface PlayedFilm extends OpenedFilm {
  /** What it is read as. */
  readonly format: string
  /** Whose turn it is. */
  readonly owner: string
}

export interface WantedSegment {
  readonly rendition: Rendition
  /** Counted from 0. */
  readonly index: number
  /** Burnt in: WebP in the shape of the frames, clear but for the mark. The key tells marks apart. */
  readonly overlay?: { readonly key: string; readonly draw: (signal: AbortSignal) => Promise<Uint8Array> }
}

/** Makes films and sound playable that browsers cannot play: piece by piece, as they are watched. */
export interface Films {
  /** @throws AppError PREVIEW_UNSUPPORTED for what cannot be played, SERVER_BUSY, what reading throws; the signal's reason */
  plan(film: PlayedFilm, signal: AbortSignal): Promise<FilmPlan>
  /**
   * A segment as MPEG-TS with H.264 and AAC. The next ones are made at once, too.
   * @throws AppError PREVIEW_UNSUPPORTED for one that is not there, SERVER_BUSY, what reading throws; the signal's reason
   */
  segment(film: PlayedFilm, wanted: WantedSegment, signal: AbortSignal): Promise<Uint8Array>
  stop(): Promise<void>
}

export interface FilmsDeps {
  /** Absolute paths of ffmpeg and ffprobe. */
  readonly programs: { readonly ffmpeg: string; readonly ffprobe: string }
  readonly cache: PictureCache
  readonly inputs: FilmInputs
  /** Each run has a folder in it. */
  readonly folder: string
  /** What no program shall see. */
  readonly hidden: readonly string[]
  readonly random: Random
  readonly log: Log
  /** For one run; then the program is ended. */
  readonly limitMs?: number
}

/** Part of each name in the cache, so that what an older version made is not found. */
const VERSION = 1
/** A run ends at a multiple of so many segments: after them it is seen whether anybody still watches. */
const RUN_SEGMENTS = 8
/** A film of 8K in a studio's format on a slow machine still gets a segment in that time. */
const LIMIT_MS = 120_000
const PROBE_MS = 20_000
const MAX_MEMORY_BYTES = 1_536 * 1_024 * 1_024
const MAX_PROBE_BYTES = 1_024 * 1_024
const INPUT = 'in'

export function createFilms(deps: FilmsDeps): Films {
  const { cache, inputs } = deps
  const batches = createFilmBatches()
  const probes = new FairSemaphore({ total: 2, perOwner: 1 })

  async function plan(film: PlayedFilm, signal: AbortSignal): Promise<FilmPlan> {
    const key = keyOf('plan', film.format, film.identity)
    let said = await cache.get(key)
    if (said === undefined) {
      said = await probes.run({ owner: film.owner, signal }, () => probe(deps, film, signal))
      await cache.put(key, said)
    }
    const found = said.length === 0 ? undefined : planOf(Buffer.from(said).toString('utf8'))
    if (found === undefined) throw new AppError('PREVIEW_UNSUPPORTED')
    return found
  }

  return {
    plan,
    async segment(film, { rendition, index, overlay }, signal) {
      const stream = JSON.stringify([film.format, film.identity, rendition, overlay?.key ?? ''])
      const nameOf = (at: number): string => keyOf('segment', String(at), stream)
      const kept = await cache.get(nameOf(index))
      if (kept !== undefined) return whole(kept)
      const found = await plan(film, signal)
      const { length: count } = segmentsOf(found.seconds)
      if (index >= count) throw new AppError('PREVIEW_UNSUPPORTED')
      const to = Math.min(count, (Math.floor(index / RUN_SEGMENTS) + 1) * RUN_SEGMENTS)
      const make: BatchWork['make'] = async (deliver, until) => {
        const run = {
          plan: found,
          rendition,
          from: index,
          to,
          isLast: to === count,
          overlay: await overlay?.draw(until),
        }
        const keep = async (at: number, segment: Uint8Array): Promise<void> => {
          deliver(at, segment)
          await cache.put(nameOf(at), segment)
        }
        const isFruitless = await makeSegments(deps, film, { ...run, keep }, until)
        // It is tried again after a day.
        if (isFruitless) await cache.put(nameOf(index), new Uint8Array())
      }
      return batches.segment(index, signal, { stream, owner: film.owner, from: index, to, make })
    },
    async stop() {
      batches.stop()
      await inputs.stop()
    },
  }
}

function keyOf(...parts: readonly string[]): string {
  return createHash('sha256')
    .update([VERSION, ...parts].join('\0'))
    .digest('hex')
    .slice(0, 40)
}

function whole(segment: Uint8Array): Uint8Array {
  if (segment.length === 0) throw new AppError('PREVIEW_UNSUPPORTED')
  return segment
}

interface FilmRun {
  readonly program: string
  readonly args: readonly string[]
  readonly limitMs: number
  readonly fileBytes: number
  readonly onLine?: (line: string) => void
}

/** Runs a program in a folder of its own that holds the film. */
async function inFolder<T>(
  { folder: parent, hidden, inputs, random }: FilmsDeps,
  film: PlayedFilm,
  signal: AbortSignal,
  work: (folder: string, run: (one: FilmRun) => Promise<CagedEnding>) => Promise<T>,
): Promise<T> {
  const folder = path.join(parent, randomHex(random, 8))
  await fs.mkdir(path.join(folder, 'out'), { recursive: true, mode: 0o700 })
  try {
    await using opened = await inputs.open(film, signal)
    const input = { name: INPUT, descriptor: opened.descriptor }
    return await work(folder, (one) =>
      runCaged({ ...one, folder, hidden, input, memoryBytes: MAX_MEMORY_BYTES, signal }),
    )
  } finally {
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** @returns nothing for what the program does not read */
function probe(deps: FilmsDeps, film: PlayedFilm, signal: AbortSignal): Promise<Uint8Array> {
  return inFolder(deps, film, signal, async (folder, run) => {
    const args = probeArgs(film.format, INPUT, 'out/probe.json')
    const { ffprobe: program } = deps.programs
    const ended = await run({ program, args, limitMs: PROBE_MS, fileBytes: MAX_PROBE_BYTES })
    if (ended.code === 0) return readPlain(path.join(folder, 'out/probe.json'), MAX_PROBE_BYTES)
    deps.log.warn({ ...ended, format: film.format }, 'a film could not be read')
    return new Uint8Array()
  })
}

interface SegmentsRun {
  readonly plan: FilmPlan
  readonly rendition: Rendition
  readonly from: number
  readonly to: number
  readonly isLast: boolean
  readonly overlay: Uint8Array | undefined
  readonly keep: (...segment: Parameters<Deliver>) => Promise<void>
}

/** @returns whether nothing came of it */
function makeSegments(deps: FilmsDeps, film: PlayedFilm, run: SegmentsRun, signal: AbortSignal): Promise<boolean> {
  const { overlay, keep, ...range } = run
  return inFolder(deps, film, signal, async (folder, start) => {
    const mark = overlay === undefined ? undefined : 'mark.webp'
    if (overlay !== undefined) await fs.writeFile(path.join(folder, 'mark.webp'), overlay, { mode: 0o600 })
    let kept = Promise.resolve(0)
    const take = async (count: number, line: string): Promise<number> => {
      const index = segmentNumber(line)
      if (index === undefined) return count
      const file = path.join(folder, `${SEGMENT_FILE.prefix}${index}${SEGMENT_FILE.suffix}`)
      const segment = index < range.from ? new Uint8Array() : await readPlain(file, MAX_SEGMENT_BYTES)
      await fs.rm(file, { force: true })
      if (segment.length === 0 || index >= range.to) return count
      await keep(index, segment)
      return count + 1
    }
    const args = segmentArgs({ ...range, format: film.format, input: INPUT, overlay: mark })
    const onLine = (line: string): void => void (kept = kept.then((count) => take(count, line)))
    const { ffmpeg: program } = deps.programs
    try {
      const ended = await start({
        program,
        args,
        limitMs: deps.limitMs ?? LIMIT_MS,
        fileBytes: MAX_SEGMENT_BYTES,
        onLine,
      })
      if (ended.code !== 0) deps.log.warn({ ...ended, format: film.format }, 'a film could not be converted')
    } finally {
      await kept
    }
    return (await kept) === 0
  })
}

/** The program is not trusted: of what it prints only a number is taken. */
function segmentNumber(line: string): number | undefined {
  const [, digits] = /^s(\d{1,6})\.ts$/.exec(line.split('/').at(-1) ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}
