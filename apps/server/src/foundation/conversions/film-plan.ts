import { MiB } from '@godwit/base'
import { z } from 'zod'

/** Seconds of a segment. */
export const SEGMENT_SECONDS = 4
/** A playlist names every segment. */
const MAX_SECONDS = 12 * 3_600
/** 8K: what a frame takes in memory, and a decoder several times. */
export const MAX_FRAME_PIXELS = 8_192 * 4_320
/** Bits a second that a browser is given as they are; more stutters on a usual line. */
const MAX_DIRECT_BITS = 24_000_000
const MAX_FRAME_RATE = 60

/** Sizes that films are made in: the shorter edge, and what a second of it takes at most. */
export const RENDITIONS = {
  low: { edge: 720, bits: 3_000_000 },
  high: { edge: 1080, bits: 6_000_000 },
} as const
export type Rendition = keyof typeof RENDITIONS

export interface FrameSize {
  readonly width: number
  readonly height: number
}

/** How a film or sound can be played. */
export interface FilmPlan {
  /** Browsers play it as it is. */
  readonly isDirect: boolean
  readonly seconds: number
  /** Undefined for sound alone. */
  readonly picture?: FrameSize & { readonly isFast: boolean }
  readonly hasSound: boolean
}

const number = z.coerce.number().catch(0)
const word = z.string().catch('')
const stream = z.object({
  codec_type: word,
  codec_name: word,
  pix_fmt: word,
  width: number,
  height: number,
  sample_aspect_ratio: word,
  avg_frame_rate: word,
  duration: number,
  disposition: z.object({ attached_pic: number }).catch({ attached_pic: 0 }),
  side_data_list: z.array(z.object({ rotation: number })).catch([]),
})
type Stream = z.output<typeof stream>
const probe = z.object({
  streams: z.array(stream).catch([]),
  format: z.object({ duration: number, bit_rate: number }).catch({ duration: 0, bit_rate: 0 }),
})

/** What the probe is asked for. */
export const PROBED = [
  'format=duration,bit_rate',
  'stream=codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,avg_frame_rate,duration',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':')

/**
 * @param said what the probe wrote
 * @returns undefined for what cannot be played: no stream, no known length or an endless one, frames larger than memory
 */
export function planOf(said: string): FilmPlan | undefined {
  const { streams, format } = probe.parse(JSON.parse(said))
  const picture = streams.find(
    ({ codec_type: type, disposition }) => type === 'video' && disposition.attached_pic === 0,
  )
  const sound = streams.find(({ codec_type: type }) => type === 'audio')
  const seconds = picture?.duration || sound?.duration || format.duration
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) return undefined
  const bits = format.bit_rate
  if (picture === undefined) {
    if (sound === undefined) return undefined
    return { isDirect: PLAYED_SOUND.has(sound.codec_name), seconds, hasSound: true }
  }
  const size = shownSize(picture)
  if (size === undefined) return undefined
  const isDirect =
    isPlayed(picture) && (sound === undefined || PLAYED_SOUND.has(sound.codec_name)) && bits <= MAX_DIRECT_BITS
  const isFast = rateOf(picture.avg_frame_rate) > MAX_FRAME_RATE
  return { isDirect, seconds, picture: { ...size, isFast }, hasSound: sound !== undefined }
}

const PLAYED_SOUND: ReadonlySet<string> = new Set([
  ...['aac', 'mp3', 'opus', 'vorbis', 'flac'],
  ...['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_f32le'],
])
const PLAYED_PICTURE: ReadonlySet<string> = new Set(['vp8', 'vp9', 'av1'])

/** H.264 comes in forms for studios, too, that no browser decodes. */
function isPlayed({ codec_name: codec, pix_fmt: pixels }: Stream): boolean {
  return PLAYED_PICTURE.has(codec) || (codec === 'h264' && /^yuvj?420p$/.test(pixels))
}

/** As it is to be seen: pixels square, upright. @returns undefined for frames that are none or too large */
function shownSize({
  width,
  height,
  sample_aspect_ratio: ratio,
  side_data_list: sides,
}: Stream): FrameSize | undefined {
  if (!(width > 0 && height > 0 && width * height <= MAX_FRAME_PIXELS)) return undefined
  const aspect = rateOf(ratio.replace(':', '/'))
  const wide = Math.max(1, Math.round(width * (aspect > 0.1 && aspect < 10 ? aspect : 1)))
  const isTurned = sides.some(({ rotation }) => Math.abs(rotation) % 180 === 90)
  return isTurned ? { width: height, height: wide } : { width: wide, height }
}

/** @param fraction as the probe writes it: `24000/1001` */
function rateOf(fraction: string): number {
  const [over, under] = fraction.split('/').map(Number)
  return over !== undefined && under !== undefined && under > 0 ? over / under : 0
}

/** The same shape, no larger than the rendition: H.264 takes even edges alone. */
export function renderedSize({ width, height }: FrameSize, rendition: Rendition): FrameSize {
  const { edge } = RENDITIONS[rendition]
  const scale = Math.min(1, edge / Math.min(width, height), (edge * 16) / 9 / Math.max(width, height))
  const even = (length: number): number => Math.max(16, 2 * Math.round((length * scale) / 2))
  return { width: even(width), height: even(height) }
}

/** Those worth offering: none is larger than the film. */
export function renditionsOf({ picture }: FilmPlan): readonly Rendition[] {
  if (picture === undefined) return ['low']
  const low = renderedSize(picture, 'low')
  return renderedSize(picture, 'high').width > low.width ? ['low', 'high'] : ['low']
}

/** A last piece shorter than this may have no frame of its own, and belongs to the one before. */
const LEAST_SECONDS = 0.25

/** Where segments begin and how long each is, in seconds; known before any is made. */
export function segmentsOf(seconds: number): readonly number[] {
  const count = Math.max(1, Math.ceil((seconds - LEAST_SECONDS) / SEGMENT_SECONDS))
  return Array.from({ length: count }, (_, at) =>
    at < count - 1 ? SEGMENT_SECONDS : seconds - SEGMENT_SECONDS * (count - 1),
  )
}

/** Bytes that a segment takes at most; far more than its rate allows. */
export const MAX_SEGMENT_BYTES = 16 * MiB
