import fs from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { FairSemaphore } from '../../kernel/fair-semaphore.ts'
import { probeArgs, SEGMENT_FILE, segmentArgs } from './film-args.ts'
import { createFilmBatches, type BatchWork, type Deliver } from './film-batches.ts'
import { copying } from './film-copies.ts'
import type { FilmCuts } from './film-cuts.ts'
import { createFilmIndex } from './film-index.ts'
import { MAX_SEGMENT_BYTES, planOf, segmentsOf, type FilmPlan, type FilmStream, type Rendition } from './film-plan.ts'
import { inFolder, INPUT, keyOf, type FilmsDeps, type Making, type PlayedFilm, type SegmentRange } from './film-runs.ts'
import { readPlain } from './read-plain.ts'

export interface WantedSegment {
  readonly rendition: FilmStream
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
   * The segments of the stream `copy`, found once for each content of a file.
   * @returns undefined for a film that has to be encoded
   * @throws AppError as plan does; the signal's reason
   */
  cuts(film: PlayedFilm, signal: AbortSignal): Promise<FilmCuts | undefined>
  /**
   * A segment as MPEG-TS with H.264 and AAC. The next ones are made at once, too.
   * @throws AppError PREVIEW_UNSUPPORTED for one that is not there, SERVER_BUSY, what reading throws; the signal's reason
   */
  segment(film: PlayedFilm, wanted: WantedSegment, signal: AbortSignal): Promise<Uint8Array>
  stop(): Promise<void>
}

/** A run ends at a multiple of so many segments: after them it is seen whether anybody still watches. */
const RUN_SEGMENTS = 8
/** A film of 8K in a studio's format on a slow machine still gets a segment in that time. */
const LIMIT_MS = 120_000
const PROBE_MS = 20_000
const MAX_PROBE_BYTES = 1_024 * 1_024

export function createFilms(deps: FilmsDeps): Films {
  const { cache, inputs } = deps
  const batches = createFilmBatches()
  const plan = createPlans(deps)
  const index = createFilmIndex(deps, plan)

  async function makingOf(film: PlayedFilm, wanted: WantedSegment, signal: AbortSignal): Promise<Making> {
    const found = await plan(film, signal)
    const { rendition, overlay } = wanted
    if (rendition !== 'copy') return encoding(film, found, rendition)
    const cuts = overlay === undefined ? await index.cuts(film, signal) : undefined
    // A mark is burnt in, which only encoding does.
    if (cuts === undefined) throw new AppError('PREVIEW_UNSUPPORTED')
    return copying(film, { plan: found, cuts }, (odd) => {
      deps.log.warn({ ...odd }, 'a film is not cut where its index says, and will be encoded')
      return index.refuse(film)
    })
  }

  return {
    plan,
    cuts: (film, signal) => index.cuts(film, signal),
    async segment(film, wanted, signal) {
      const { rendition, index: wish, overlay } = wanted
      const stream = JSON.stringify([film.format, film.identity, rendition, overlay?.key ?? ''])
      const nameOf = (at: number): string => keyOf('segment', String(at), stream)
      const kept = await cache.get(nameOf(wish))
      if (kept !== undefined) return whole(kept)
      const making = await makingOf(film, wanted, signal)
      const { count } = making
      if (wish >= count) throw new AppError('PREVIEW_UNSUPPORTED')
      const to = Math.min(count, (Math.floor(wish / RUN_SEGMENTS) + 1) * RUN_SEGMENTS)
      const make: BatchWork['make'] = async (deliver, until) => {
        const run = { making, from: wish, to, isLast: to === count, overlay: await overlay?.draw(until) }
        const keep = async (at: number, segment: Uint8Array): Promise<void> => {
          deliver(at, segment)
          await cache.put(nameOf(at), segment)
        }
        const isFruitless = await makeSegments(deps, film, { ...run, keep }, until)
        // It is tried again after a day.
        if (isFruitless) await cache.put(nameOf(wish), new Uint8Array())
      }
      return batches.segment(wish, signal, { stream, owner: film.owner, from: wish, to, make })
    },
    async stop() {
      batches.stop()
      await inputs.stop()
    },
  }
}

function createPlans(deps: FilmsDeps): Films['plan'] {
  const { cache } = deps
  const probes = new FairSemaphore({ total: 2, perOwner: 1 })

  return async (film, signal) => {
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
}

/** What is made of a film that browsers do not play, or that carries a mark. */
function encoding({ format }: PlayedFilm, plan: FilmPlan, rendition: Rendition): Making {
  return {
    count: segmentsOf(plan.seconds).length,
    fileBytes: MAX_SEGMENT_BYTES,
    args: (range, overlay) => segmentArgs({ ...range, format, plan, rendition, input: INPUT, overlay }),
    isWhole: () => Promise.resolve(true),
  }
}

function whole(segment: Uint8Array): Uint8Array {
  if (segment.length === 0) throw new AppError('PREVIEW_UNSUPPORTED')
  return segment
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

interface SegmentsRun extends SegmentRange {
  readonly making: Making
  readonly overlay: Uint8Array | undefined
  readonly keep: (...segment: Parameters<Deliver>) => Promise<void>
}

/** @returns whether nothing came of it */
function makeSegments(deps: FilmsDeps, film: PlayedFilm, run: SegmentsRun, signal: AbortSignal): Promise<boolean> {
  const { making, overlay, keep, ...range } = run
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
      if (segment.length === 0 || index >= range.to || !(await making.isWhole(index, segment))) return count
      await keep(index, segment)
      return count + 1
    }
    const args = making.args(range, mark)
    const onLine = (line: string): void => void (kept = kept.then((count) => take(count, line)))
    const { ffmpeg: program } = deps.programs
    try {
      const ended = await start({
        program,
        args,
        limitMs: deps.limitMs ?? LIMIT_MS,
        fileBytes: making.fileBytes,
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
