import { confined, PROBE_LIMITS, SEGMENT_FILE, SHIFT_SECONDS } from './film-args.ts'
import type { FilmCuts } from './film-cuts.ts'
import type { CopyPlan } from './film-plan.ts'

/** Arguments of ffprobe, which prints a line for each packet of the picture and decodes none. */
export function indexArgs(format: string, from: string): readonly string[] {
  return [
    ...['-hide_banner', '-v', 'error', ...PROBE_LIMITS, ...confined(format), '-select_streams', 'V:0'],
    ...['-show_entries', 'packet=pts_time,dts_time,duration_time,size,flags', '-of', 'csv=p=0', from],
  ]
}

/** Segments that are cut in one run. */
export interface CopyRun {
  readonly format: string
  readonly copy: CopyPlan
  readonly hasSound: boolean
  readonly cuts: FilmCuts
  /** The first, and the one behind the last. */
  readonly from: number
  readonly to: number
  readonly isLast: boolean
  /** Name in the folder. */
  readonly input: string
}

/**
 * Reading begins so many frames before the first segment at least: no frame is reordered further, so by then each has the time that it has
 * in any other run, and sound is where the picture is.
 */
const LEAD_FRAMES = 32
/** A place in a file is found by the times of decoding, which are earlier, or only roughly. */
const SEEK_SECONDS = 0.5
/** Reading goes on so long after the last segment, for the sound that is stored behind its picture. */
const TAIL_SECONDS = 1
/** A frame of AAC. Sound that is encoded begins at a multiple of it in each run, and so goes on where the run before ended. */
const FRAME_SAMPLES = 1024
const SAMPLE_RATE = 48_000

/**
 * Arguments of ffmpeg, which prints the name of each segment when it is whole; those before the first and behind the last, too. Times
 * stay those of the file, which {@link FilmCuts} has as well: nothing is made of where a run begins.
 */
export function copyArgs(run: CopyRun): readonly string[] {
  const { format, copy, cuts, from, to, isLast, input } = run
  const timeOf = (at: number): number => cuts.begins[at] ?? cuts.ends
  const begin = Math.max(copy.begins, from === 0 ? copy.begins : timeOf(leadOf(cuts, from)) - SEEK_SECONDS)
  const first = Math.max(1, from)
  const count = Math.max(1, to - first + (isLast ? 0 : 1))
  const zero = SHIFT_SECONDS - timeOf(0)
  const times = Array.from({ length: count }, (_, at) => seconds(timeOf(first + at) + zero)).join(',')
  return [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '2', ...PROBE_LIMITS, ...confined(format)],
    ...(begin > copy.begins ? ['-ss', seconds(begin - copy.begins)] : []),
    ...(isLast ? [] : ['-t', seconds(timeOf(to) + TAIL_SECONDS - begin)]),
    ...['-copyts', '-i', input, '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...['-map', '0:V:0', '-c:v', 'copy', ...soundArgs(run, begin)],
    ...['-output_ts_offset', seconds(zero), '-muxdelay', '0', '-muxpreload', '0'],
    ...['-avoid_negative_ts', 'disabled', '-f', 'segment', '-segment_format', 'mpegts'],
    ...['-segment_times', times, '-segment_time_delta', '0.005'],
    ...['-segment_start_number', String(first - 1), '-segment_list', 'pipe:1', '-segment_list_type', 'flat'],
    `${SEGMENT_FILE.prefix}%d${SEGMENT_FILE.suffix}`,
  ]
}

function soundArgs({ copy, hasSound }: CopyRun, begin: number): readonly string[] {
  if (!hasSound) return []
  if (copy.isSoundCopied) return ['-map', '0:a:0', '-c:a', 'copy']
  const first = FRAME_SAMPLES * Math.floor((begin * SAMPLE_RATE) / FRAME_SAMPLES)
  const placed = `aresample=${SAMPLE_RATE},aresample=async=1:first_pts=${first}`
  return ['-map', '0:a:0', '-af', placed, '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', String(SAMPLE_RATE)]
}

/** @returns the segment with which reading begins */
function leadOf({ frames }: FilmCuts, from: number): number {
  let at = from - 1
  let count = frames[at] ?? 0
  while (at > 0 && count < LEAD_FRAMES) {
    at--
    count += frames[at] ?? 0
  }
  return at
}

/** To the microsecond, which is what ffmpeg counts in. */
function seconds(value: number): string {
  return value.toFixed(6)
}
