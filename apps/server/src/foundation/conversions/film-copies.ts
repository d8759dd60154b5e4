import { copyArgs } from './copy-args.ts'
import { SHIFT_SECONDS } from './film-args.ts'
import type { FilmCuts } from './film-cuts.ts'
import { MAX_SEGMENT_BYTES, type FilmPlan } from './film-plan.ts'
import { INPUT, type Making, type PlayedFilm } from './film-runs.ts'
import { segmentStart, type SegmentStart } from './ts-start.ts'

/** A run that cuts writes what it read before its first segment, too, and throws it away. */
const MAX_CUT_BYTES = 4 * MAX_SEGMENT_BYTES
/** Of the clock of MPEG-TS, and of times that formats round to the millisecond. */
const START_SECONDS = 0.002

/** A segment that does not begin as the playlist says. */
export interface OddSegment {
  readonly format: string
  readonly index: number
  readonly begins: number
  readonly start: SegmentStart | undefined
}

/**
 * Cuts the stream of a film, which is not encoded.
 * @param refuse called for a segment that is not cut as the index says; it reaches nobody
 */
export function copying(
  { format }: PlayedFilm,
  { plan: { copy, hasSound }, cuts }: { readonly plan: FilmPlan; readonly cuts: FilmCuts },
  refuse: (odd: OddSegment) => Promise<void>,
): Making {
  const [zero = 0] = cuts.begins
  return {
    count: cuts.begins.length,
    fileBytes: MAX_CUT_BYTES,
    args: (range) => (copy === undefined ? [] : copyArgs({ ...range, format, copy, hasSound, cuts, input: INPUT })),
    async isWhole(index, segment) {
      const start = segmentStart(segment)
      const begins = (cuts.begins[index] ?? 0) - zero + SHIFT_SECONDS
      if (start?.standsAlone === true && Math.abs(start.shown - begins) < START_SECONDS) return true
      await refuse({ format, index, begins, start })
      return false
    },
  }
}
