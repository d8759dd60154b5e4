import {
  PROBED,
  MAX_FRAME_PIXELS,
  RENDITIONS,
  SEGMENT_SECONDS,
  renderedSize,
  type FilmPlan,
  type Rendition,
} from './film-plan.ts'

/** Nothing is opened but the one file, and that only as what its first bytes say it is. */
export const confined = (format: string): readonly string[] => ['-protocol_whitelist', 'file', '-f', format]

/** Where the index of a file and its first frames are looked for. */
export const PROBE_LIMITS = ['-probesize', '16M', '-analyzeduration', '10M'] as const

/** Arguments of ffprobe, which writes JSON. */
export function probeArgs(format: string, from: string, to: string): readonly string[] {
  const limits = [...PROBE_LIMITS, ...confined(format)]
  return ['-hide_banner', '-v', 'error', ...limits, '-show_entries', PROBED, '-of', 'json', '-o', to, from]
}

/** Segments of a film that are made in one run, and what they are made of. */
export interface SegmentRun {
  readonly format: string
  readonly plan: FilmPlan
  readonly rendition: Rendition
  /** The first, and the one behind the last. */
  readonly from: number
  readonly to: number
  readonly isLast: boolean
  /** Names in the folder. */
  readonly input: string
  readonly overlay: string | undefined
}

/**
 * Decoding begins so much earlier and ends so much later, by whole frames of sound (1024 samples at 48 kHz), and what was made of that is
 * thrown away: the sound of a run then goes on exactly where that of the run before ended.
 */
const LEAD_SECONDS = 0.512
/** What one segment has more than whole frames of sound. */
const HALF_FRAME_SECONDS = 512 / 48_000
/** Added to all times: the first frames of a film may be decoded before zero, and no time in a segment is negative. */
export const SHIFT_SECONDS = 10

/** Names of segments in the folder: the number between these. */
export const SEGMENT_FILE = { prefix: 'out/s', suffix: '.ts' } as const

/** Arguments of ffmpeg, which prints the name of each segment when it is whole; those before the first and behind the last, too. */
export function segmentArgs(run: SegmentRun): readonly string[] {
  const { format, plan, from, to, isLast, input, overlay } = run
  const lead = from === 0 ? 0 : LEAD_SECONDS + (from % 2) * HALF_FRAME_SECONDS
  const begin = from * SEGMENT_SECONDS - lead
  const first = from === 0 ? 1 : from
  // The last one takes what is left, also where the film is longer than it says.
  const length = to * SEGMENT_SECONDS - begin + (isLast ? 1 : LEAD_SECONDS)
  const cuts = Array.from(
    { length: Math.max(1, to - first + (isLast ? 0 : 1)) },
    (_, at) => (first + at) * SEGMENT_SECONDS,
  )
  const timesAfter = (zero: number): string => cuts.map((cut) => seconds(cut - zero)).join(',')
  return [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '2', '-max_pixels', String(MAX_FRAME_PIXELS)],
    ...[...PROBE_LIMITS, ...confined(format), '-ss', seconds(begin), '-t', seconds(length), '-i', input],
    ...(overlay === undefined ? [] : ['-protocol_whitelist', 'file', '-f', 'webp_pipe', '-i', overlay]),
    ...['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...pictureArgs(run, timesAfter(begin)),
    ...(plan.hasSound ? ['-map', '0:a:0', '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'] : []),
    ...['-output_ts_offset', seconds(begin + SHIFT_SECONDS), '-muxdelay', '0', '-muxpreload', '0'],
    // Of a film with few frames the sound would otherwise run ahead of them.
    ...['-max_interleave_delta', '0'],
    ...['-avoid_negative_ts', 'disabled', '-f', 'segment', '-segment_format', 'mpegts'],
    ...['-segment_times', timesAfter(-SHIFT_SECONDS), '-segment_time_delta', '0.005'],
    ...['-segment_start_number', String(from === 0 ? 0 : from - 1), '-segment_list', 'pipe:1'],
    ...['-segment_list_type', 'flat', `${SEGMENT_FILE.prefix}%d${SEGMENT_FILE.suffix}`],
  ]
}

function pictureArgs({ plan: { picture }, rendition, overlay }: SegmentRun, times: string): readonly string[] {
  if (picture === undefined) return []
  const { width, height } = renderedSize(picture, rendition)
  const { bits } = RENDITIONS[rendition]
  const rate = picture.isFast ? 'fps=30,' : ''
  const scaled = `[0:V:0]${rate}scale=${width}:${height},setsar=1,format=yuv420p`
  const marked =
    overlay === undefined
      ? ''
      : `[film];[1:v:0]scale=${width}:${height}[mark];[film][mark]overlay=0:0:format=auto,format=yuv420p`
  return [
    ...['-filter_complex', `${scaled}${marked}[shown]`, '-map', '[shown]'],
    ...['-fps_mode', 'passthrough', '-enc_time_base', '1:90000', '-force_key_frames', times],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', 'high', '-threads', '2'],
    ...['-maxrate', String(bits), '-bufsize', String(2 * bits)],
  ]
}

/** To the microsecond, which is what ffmpeg counts in. */
function seconds(value: number): string {
  return value.toFixed(6)
}
