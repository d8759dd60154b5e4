import { FairSemaphore } from '../../kernel/fair-semaphore.ts'
import { indexArgs } from './copy-args.ts'
import { createCutFinder, parsedCuts, type FilmCuts } from './film-cuts.ts'
import type { CopyPlan, FilmPlan } from './film-plan.ts'
import { inFolder, INPUT, keyOf, type FilmsDeps, type PlayedFilm } from './film-runs.ts'

/** Where films are cut that are not encoded. It is looked for once for each content of a file, and kept. */
export interface FilmIndex {
  /** @returns undefined for a film that has to be encoded @throws what the plan throws; the signal's reason */
  cuts(film: PlayedFilm, signal: AbortSignal): Promise<FilmCuts | undefined>
  /** The film is encoded from now on. */
  refuse(film: PlayedFilm): Promise<void>
}

/** Of a film: its packets are read from the disk, and somebody waits for the first picture. */
const INDEX_MS = 10_000
/** The cuts of so many films are at hand, at most 200 KiB each. */
const HELD_CUTS = 16
/** Formats whose cuts are tested. */
const COPIED_FORMATS: ReadonlySet<string> = new Set(['matroska', 'mov', 'mpegts', 'avi'])

const cutsKey = (film: PlayedFilm): string => keyOf('cuts', film.format, film.identity)

export function createFilmIndex(
  deps: FilmsDeps,
  plan: (film: PlayedFilm, signal: AbortSignal) => Promise<FilmPlan>,
): FilmIndex {
  const { cache } = deps
  const held = new Map<string, FilmCuts>()
  const indexes = new FairSemaphore({ total: 2, perOwner: 1 })

  function hold(key: string, found: FilmCuts): FilmCuts {
    held.delete(key)
    held.set(key, found)
    for (const oldest of [...held.keys()].slice(0, -HELD_CUTS)) held.delete(oldest)
    return found
  }

  /** @returns null for a film of which it is known that it has to be encoded, undefined for one that is not known */
  async function knownCuts(key: string): Promise<FilmCuts | null | undefined> {
    const found = held.get(key)
    if (found !== undefined) return hold(key, found)
    const kept = await cache.get(key)
    if (kept === undefined) return undefined
    return kept.length === 0 ? null : hold(key, parsedCuts(Buffer.from(kept).toString('utf8')))
  }

  async function cuts(film: PlayedFilm, signal: AbortSignal): Promise<FilmCuts | undefined> {
    const { copy } = await plan(film, signal)
    if (copy === undefined || !COPIED_FORMATS.has(film.format)) return undefined
    const key = cutsKey(film)
    const known = await knownCuts(key)
    if (known !== undefined) return known ?? undefined
    return indexes.run({ owner: film.owner, signal }, async () => {
      // Somebody else may have waited for the same.
      const now = await knownCuts(key)
      if (now !== undefined) return now ?? undefined
      const found = await findCuts(deps, film, copy, signal)
      // A film that has to be encoded is looked through again after a day.
      await cache.put(key, found === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(found)))
      return found === undefined ? undefined : hold(key, found)
    })
  }

  return {
    cuts,
    async refuse(film) {
      held.delete(cutsKey(film))
      await cache.put(cutsKey(film), new Uint8Array())
    },
  }
}

/** @returns undefined for a film that has to be encoded, also because looking through it takes too long */
function findCuts(
  deps: FilmsDeps,
  film: PlayedFilm,
  { isInOrder }: CopyPlan,
  signal: AbortSignal,
): Promise<FilmCuts | undefined> {
  return inFolder(deps, film, signal, async (_folder, run) => {
    const finder = createCutFinder({ isInOrder })
    const args = indexArgs(film.format, INPUT)
    const { ffprobe: program } = deps.programs
    const limitMs = deps.indexMs ?? INDEX_MS
    const ended = await run({ program, args, limitMs, fileBytes: 0, onLine: finder.add })
    return ended.code === 0 ? finder.found() : undefined
  })
}
